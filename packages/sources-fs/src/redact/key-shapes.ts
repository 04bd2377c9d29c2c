/**
 * Keys that are known by how they begin. `shape` is tried where one of `starts` stands; it has no repeat inside a
 * repeat, and each one is bounded. The rule's name goes into the mark, so no name may look like what a rule looks for.
 */
export interface KeyShape {
  readonly rule: string;
  /** At least three characters each. */
  readonly starts: readonly string[];
  readonly shape: RegExp;
}

export const keyShapes: readonly KeyShape[] = [
  {
    rule: "aws",
    starts: ["AKIA", "ASIA", "ABIA", "ACCA"],
    shape: /A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}(?![A-Za-z0-9])/y,
  },
  { rule: "github", starts: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], shape: /gh[oprsu]_[A-Za-z0-9]{36,255}/y },
  { rule: "github", starts: ["github_pat_"], shape: /github_pat_[A-Za-z0-9]{20,40}_[A-Za-z0-9]{40,120}/y },
  {
    rule: "gitlab",
    starts: ["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glft-", "glsoat-", "glagent-"],
    shape: /gl(?:pat|dt|rt|ptt|cbt|ft|soat|agent)-[\w.-]{20,300}/y,
  },
  {
    rule: "slack",
    starts: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xoxe-", "xapp-"],
    shape: /x(?:ox[abcdeprs]|app)-[A-Za-z0-9%.-]{20,300}/y,
  },
  {
    rule: "stripe",
    starts: ["sk_live_", "rk_live_", "sk_test_", "rk_test_"],
    shape: /[rs]k_(?:live|test)_[A-Za-z0-9]{16,250}/y,
  },
  { rule: "stripe", starts: ["whsec_"], shape: /whsec_[A-Za-z0-9+/]{24,100}/y },
  { rule: "anthropic", starts: ["sk-ant-"], shape: /sk-ant-[\w-]{24,250}/y },
  { rule: "openrouter", starts: ["sk-or-"], shape: /sk-or-(?:v\d-)?[A-Za-z0-9]{32,128}/y },
  {
    rule: "openai",
    starts: ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"],
    shape: /sk-(?:proj|svcacct|admin|None)-[\w-]{20,300}/y,
  },
  { rule: "openai", starts: ["sk-"], shape: /sk-[A-Za-z0-9]{32,128}(?![\w-])/y },
  { rule: "google", starts: ["AIza"], shape: /AIza[\w-]{35}(?![\w-])/y },
  { rule: "google", starts: ["GOCSPX-"], shape: /GOCSPX-[\w-]{24,40}/y },
  { rule: "npm", starts: ["npm_"], shape: /npm_[A-Za-z0-9]{36,80}/y },
  { rule: "pypi", starts: ["pypi-"], shape: /pypi-[\w-]{50,1000}/y },
  {
    rule: "huggingface",
    starts: ["hf_", "api_org_"],
    shape: /(?:hf|api_org)_[A-Za-z]{30,60}(?![\w-])|hf_[A-Za-z0-9]{30,60}(?![\w-])/y,
  },
  {
    rule: "twilio",
    starts: [
      "SK0",
      "SK1",
      "SK2",
      "SK3",
      "SK4",
      "SK5",
      "SK6",
      "SK7",
      "SK8",
      "SK9",
      "SKa",
      "SKb",
      "SKc",
      "SKd",
      "SKe",
      "SKf",
    ],
    shape: /SK[0-9a-f]{32}(?![A-Za-z0-9])/y,
  },
  { rule: "mailgun", starts: ["key-"], shape: /key-[0-9a-f]{32}(?![A-Za-z0-9])/y },
  { rule: "digitalocean", starts: ["dop_v1_", "doo_v1_", "dor_v1_"], shape: /do[opr]_v1_[0-9a-f]{64}/y },
  { rule: "heroku", starts: ["HRKU-"], shape: /HRKU-[\w-]{30,80}/y },
  { rule: "databricks", starts: ["dapi"], shape: /dapi[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])/y },
  { rule: "shopify", starts: ["shpat_", "shpca_", "shppa_", "shpss_"], shape: /shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}/y },
  { rule: "square", starts: ["sq0atp-", "sq0csp-", "sq0idp-"], shape: /sq0(?:atp|csp|idp)-[\w-]{22,43}/y },
  { rule: "square", starts: ["EAAA"], shape: /EAAA[\w-]{56,64}(?![\w-])/y },
  { rule: "grafana", starts: ["glsa_", "glc_"], shape: /glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/=]{32,400}/y },
  { rule: "newrelic", starts: ["NRAK-", "NRJS-", "NRII-"], shape: /NR(?:AK|JS|II)-[\w-]{19,40}/y },
  { rule: "linear", starts: ["lin_api_"], shape: /lin_api_[A-Za-z0-9]{40}/y },
  { rule: "notion", starts: ["ntn_"], shape: /ntn_[A-Za-z0-9]{40,60}/y },
  { rule: "postman", starts: ["PMAK-"], shape: /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/y },
  {
    rule: "planetscale",
    starts: ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
    shape: /pscale_(?:tkn|pw|oauth)_[\w.=-]{32,64}/y,
  },
  { rule: "supabase", starts: ["sbp_", "sb_secret_"], shape: /sbp_[0-9a-f]{40}|sb_secret_[\w-]{24,80}/y },
  { rule: "docker", starts: ["dckr_pat_", "dckr_oat_"], shape: /dckr_[op]at_[\w-]{24,64}/y },
  { rule: "rubygems", starts: ["rubygems_"], shape: /rubygems_[0-9a-f]{48}/y },
  { rule: "crates", starts: ["cio"], shape: /cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/y },
  {
    rule: "atlassian",
    starts: ["ATATT3", "ATCTT3", "ATBB"],
    shape: /AT(?:ATT3|CTT3)[\w=-]{60,300}|ATBB[A-Za-z0-9]{28,40}/y,
  },
  { rule: "groq", starts: ["gsk_"], shape: /gsk_[A-Za-z0-9]{48,64}/y },
  { rule: "xai", starts: ["xai-"], shape: /xai-[A-Za-z0-9]{70,100}/y },
  { rule: "replicate", starts: ["r8_"], shape: /r8_[A-Za-z0-9]{37,42}/y },
  { rule: "perplexity", starts: ["pplx-"], shape: /pplx-[A-Za-z0-9]{40,64}/y },
  { rule: "age", starts: ["AGE-SECRET-KEY-1"], shape: /AGE-SECRET-KEY-1[0-9A-Z]{58}/y },
  { rule: "tailscale", starts: ["tskey-"], shape: /tskey-[a-z]{3,10}-[\w-]{16,80}/y },
  { rule: "pulumi", starts: ["pul-"], shape: /pul-[0-9a-f]{40}(?![\w-])/y },
  { rule: "sonar", starts: ["sqp_", "squ_", "sqa_"], shape: /sq[apu]_[0-9a-f]{40}/y },
  { rule: "sentry", starts: ["sntrys_", "sntryu_"], shape: /sntry[su]_[\w+/=-]{40,400}/y },
  { rule: "buildkite", starts: ["bkua_"], shape: /bkua_[0-9a-f]{40}/y },
  { rule: "figma", starts: ["figd_"], shape: /figd_[\w-]{36,60}/y },
  { rule: "brevo", starts: ["xkeysib-"], shape: /xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}/y },
  { rule: "netlify", starts: ["nfp_"], shape: /nfp_[A-Za-z0-9]{36,60}/y },
  { rule: "jwt", starts: ["eyJ"], shape: /eyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{16,2000}/y },
];

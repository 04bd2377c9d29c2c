/**
 * What a code that lets in once is called, by language, as patterns from where an anchor is. A code of digits right
 * behind one of these is one; `code` alone is any, so words beside it say what it is for.
 */
export const codeNames: readonly string[] = [
  "code(?<=(?:confirmation|access|auth|activation|sms|2fa|mfa|entry|lock|verificatie|bevestigings|toegangs|bestätigungs|sicherheits|verifizierungs|freischalt|zugangs|einmal|verification|security|login|pairing|passcode|set-?up|authenticator|unlock)[ _-]?code)",
  "code(?<=\\b(?:your|je|uw|votre|ton|ihr|dein|mein|din)[ ](?:[\\w-]{2,16}[ ])?code)(?<!(?:exit|error|status|zip|area|postal|country|source|own|qr|bar|project|product|response)[ ]code)",
  "c[oó]d(?:e|igo|ice)[ ](?:de|di|da|d')[ ]?(?:v[eé]rif|valid|s[eé]curit|segur|sicur|conf[ei]rm|acc[eè]s|acces|accès|autent|authent)[a-zéçãáó]{0,12}",
  "c[oó]di(?:go|ce)(?<=\\b(?:tu|su|seu|teu|tuo|suo)[ ]c[oó]di(?:go|ce))",
  "tan(?<=(?<![a-z])(?:m|push|sms|ihre |deine |die )?tan)",
  // Polish, Czech, the languages of Scandinavia, Turkish, Indonesian.
  "kod(?:e|en|u)?(?<=(?:tw[oó]j|din|ditt|dit|v[aá][sš]|tv[uů]j|engangs|engångs|do[gğ]rulama|onay|güvenlik|ov[eě][rř]ovac[ií]|potvrzovac[ií]|bekr[eæä]ftelses|verifi[ck]ations?|verifiserings|sms)[ -]?kod(?:e|en|u)?)",
  "kod(?:e)?[ ](?:weryfikac|verifik|jednoraz|dost[eę]p|sms|otp|aktywac|autoryz|bezpiecz|potwierdz|keamanan)[a-ząęłyjny]{0,8}",
  "код(?:[ ](?:подтверждения|доступа|авторизации|активации|безопасности|проверки|для входа|из смс|підтвердження|доступу))?",
  "п[иі]н(?<![а-я]п[иі]н)(?:[ -]код)?(?![а-я])",
  "mã[ ]xác[ ](?:nhận|minh|thực)",
  "(?:验证|驗證|校验|动态|确认|登录|授权)码?碼?",
  "(?:認証|確認|セキュリティ)?コード(?<=(?:認証|確認|セキュリティ|ログイン|pin |pin)コード)",
  "(?:인증|확인|보안)(?:번호|코드)",
  "暗証番号",
];

/** What these begin with, where no letter is Latin. */
export const codeWords: readonly string[] =
  "код Код КОД пин ПИН Пин пін ПІН mã_xác Mã_xác 验证码 驗證碼 校验码 动态码 确认码 登录码 授权码 认证码 コード 인증번 인증코 확인코 보안코 暗証番 备用码 备用验 恢复码 коды Коды"
    .split(" ")
    .flatMap((word) =>
      word.length > 3
        ? [word.replace("_", " ")]
        : [..." :：是为為はが은는이[「-—.0123456789"].map((char) => word + char),
    );

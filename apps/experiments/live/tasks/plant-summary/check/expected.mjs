export const expected = [
  {
    pump: "P-11",
    alarms: {
      "E-231": 1,
      "E-204": 2,
      "E-438": 2,
      "E-517": 1,
      "E-219": 1,
      "E-417": 1,
    },
    maintenances: 2,
  },
  {
    pump: "P-12",
    alarms: {
      "E-517": 2,
      "E-231": 1,
      "E-219": 1,
      "E-204": 2,
      "E-417": 1,
    },
    maintenances: 2,
  },
  {
    pump: "P-13",
    alarms: {
      "E-231": 1,
      "E-219": 1,
      "E-417": 1,
      "E-502": 2,
    },
    maintenances: 1,
  },
  {
    pump: "P-14",
    alarms: {
      "E-517": 1,
      "E-417": 1,
      "E-204": 3,
      "E-438": 1,
    },
    maintenances: 3,
  },
  {
    pump: "P-15",
    alarms: {
      "E-204": 1,
      "E-517": 2,
      "E-219": 4,
      "E-502": 2,
      "E-417": 1,
    },
    maintenances: 2,
  },
  {
    pump: "P-16",
    alarms: {
      "E-517": 1,
      "E-438": 2,
    },
    maintenances: 2,
  },
  {
    pump: "P-17",
    alarms: {
      "E-502": 2,
      "E-417": 1,
      "E-219": 2,
      "E-231": 1,
    },
    maintenances: 2,
  },
  {
    pump: "P-18",
    alarms: {
      "E-219": 3,
      "E-231": 2,
      "E-204": 3,
    },
    maintenances: 4,
  },
  {
    pump: "P-19",
    alarms: {
      "E-417": 2,
      "E-204": 2,
      "E-219": 3,
      "E-231": 1,
      "E-438": 2,
      "E-517": 1,
    },
    maintenances: 4,
  },
];

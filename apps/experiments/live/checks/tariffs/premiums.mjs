export const premiums = {
  amber: {
    perMille: 9,
    least: 30,
    free: 7000,
  },
  birch: {
    perMille: 10,
    least: 45,
    free: 8000,
  },
  cedar: {
    perMille: 17,
    least: 165,
    free: 1000,
  },
  delta: {
    perMille: 5,
    least: 185,
    free: 6000,
  },
  ember: {
    perMille: 10,
    least: 145,
    free: 4000,
  },
  fjord: {
    perMille: 2,
    least: 45,
    free: 1000,
  },
  grove: {
    perMille: 9,
    least: 115,
    free: 9000,
  },
  haven: {
    perMille: 3,
    least: 75,
    free: 3000,
  },
};

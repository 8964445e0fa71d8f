/** Number of past days that are searched for waste. */
export const WASTE_DAYS = 28
/** Shortest idle time that counts as waste, in minutes. Equal to the shortest configurable idle stop. */
export const WASTE_MINUTES = 20
/** A shutdown is not proposed if a learner would have needed the machine again within this many minutes. */
export const UNMISSED_MINUTES = 120

/** Reasons why no schedule is proposed. */
export const NO_SAVING = {
  unmeasured:
    'Nobody knows if these machines were used: nothing has measured them in the last four weeks. Look again once they have run for a day.',
  nothingLost: 'Nothing was lost in the last four weeks.',
  always: 'There is no time of day at which a shut down would have saved anything and ended nobody’s work.',
} as const

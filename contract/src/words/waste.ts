/** Days that waste is looked for in. */
export const WASTE_DAYS = 28
/** A shorter pause is no waste: it is as long as a machine must at least be idle before one may be stopped for it. */
export const WASTE_MINUTES = 20
/** A shut down that somebody would have missed sooner than this is none that is proposed. */
export const UNMISSED_MINUTES = 120

/** Says why there is no schedule to propose. */
export const NO_SAVING = {
  unmeasured:
    'Nobody knows if these machines were used: nothing has measured them in the last four weeks. Look again once they have run for a day.',
  nothingLost: 'Nothing was lost in the last four weeks.',
  always: 'There is no time of day at which a shut down would have saved anything and ended nobody’s work.',
} as const

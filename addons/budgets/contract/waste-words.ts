export const WASTE_DAYS = 28
/** Shortest idle time that counts as waste, in minutes. Equal to the shortest configurable idle stop. */
export const WASTE_MINUTES = 20
/** A shutdown is not proposed if a learner would have needed the machine again within this many minutes. */
export const NEEDED_AGAIN_MINUTES = 120

export const NO_SAVING = {
  unmeasured:
    'The portal does not know whether these machines were used, because it has no measurements of the last four weeks. Check again when the machines have run for a day.',
  tooEarly: 'A proposal needs measurements of a whole week. Check again later.',
  nothingLost: 'No machine ran unused in the last four weeks.',
  always: 'There is no time of day at which a shutdown would have saved cost without interrupting a learner.',
} as const

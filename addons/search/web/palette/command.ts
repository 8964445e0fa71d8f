export const COMMAND = 'Screen, lab module, instance or action'

/** Key of browser storage, set while `?` is switched off, as WCAG 2.1.4 requires of a key without a modifier. */
export const QUIET = 'no-question-mark'

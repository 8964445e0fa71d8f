/** The label of the field in which one types where to go. */
export const COMMAND = 'Screen, lab module, instance or action'

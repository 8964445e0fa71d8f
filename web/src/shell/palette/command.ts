/** The label of the palette's field. */
export const COMMAND = 'Screen, lab module, instance or action'

export const COMMAND = 'Screen, lab module, instance or action'

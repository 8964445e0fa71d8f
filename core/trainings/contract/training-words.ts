/** Minutes without use after which a machine is stopped, including the warning period. */
export const IDLE_STOP_MINUTES_MIN = 20
export const IDLE_STOP_MINUTES_MAX = 480

export const INSTRUCTOR = {
  added: (email: string, training: string) => `${email} is now an instructor of ${training}.`,
  isInstructor: (email: string) => `${email} is already an instructor of this training.`,
  notInstructor: (email: string) => `${email} is not an instructor of this training.`,
  removed: (email: string, training: string) => `${email} is no longer an instructor of ${training}.`,
  leadsAlready: (email: string, role: string) =>
    `${email} has the access level ${role} and leads every class of the organisation already.`,
} as const

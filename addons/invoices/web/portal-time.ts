/** Converts a time that the e-invoice portal shows, which is Indian, to an instant; empty if no time is entered. */
export const instantOf = (entered: string): string => entered && new Date(`${entered}+05:30`).toISOString()

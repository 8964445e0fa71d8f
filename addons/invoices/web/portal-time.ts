/** Converts a time that the e-invoice portal shows, which is Indian, to an instant. Returns any other text as it is. */
export const instantOf = (entered: string): string => new Date(`${entered}+05:30`).toJSON() ?? entered

/** The roles of people. The wire's session marker is the role's own name. */
export const ROLES = ['user', 'admin', 'superadmin', 'sandboxuser', 'awssandboxuser'] as const
export type Role = (typeof ROLES)[number]

/** The roles the portal's own form can give (spec.md section 9, "User types"). */
export const ASSIGNABLE_ROLES = ['user', 'admin', 'superadmin'] as const
export type AssignableRole = (typeof ASSIGNABLE_ROLES)[number]

/** Reads a session marker: four values have a meaning, anything else is a user (spec.md section 3). */
export function roleOfMarker(marker: string | null | undefined): Role {
  return ROLES.find((role) => role === marker) ?? 'user'
}

/** Roles of users. The wire field `session` has the same values. */
export const ROLES = ['user', 'admin', 'superadmin', 'sandboxuser', 'awssandboxuser'] as const
export type Role = (typeof ROLES)[number]

/** Roles that the Create User form offers (spec.md section 9, "User types"). */
export const ASSIGNABLE_ROLES = ['user', 'admin', 'superadmin'] as const
export type AssignableRole = (typeof ASSIGNABLE_ROLES)[number]

/** Returns the role of a value on the wire. Any unknown value means `user` (spec.md section 3). */
export function roleOfMarker(marker: string | null | undefined): Role {
  return ROLES.find((role) => role === marker) ?? 'user'
}

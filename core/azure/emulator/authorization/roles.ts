const roles = {
  '8e3af657-a8ff-443c-a75c-2fe8c4bcb635': { name: 'Owner', may: 'write' },
  'b24988ac-6180-42a0-ab88-20f7382dd24c': { name: 'Contributor', may: 'write' },
  'acdd72a7-3385-48ef-bd42-f606fba81ae7': { name: 'Reader', may: 'read' },
  // Azure's built-in roles for labs. Source: https://learn.microsoft.com/azure/role-based-access-control/built-in-roles
  'ce40b423-cede-4313-a93f-9b28290b72e1': { name: 'Lab Assistant', may: 'read' },
  '5daaa2af-1fe8-407c-9122-bba179798270': { name: 'Lab Contributor', may: 'write' },
  'a36e6959-b6be-4b12-8e9f-ef4b474d304d': { name: 'Lab Operator', may: 'write' },
} as const

export interface Role {
  readonly name: string
  readonly may: 'read' | 'write'
}

export function roleOf(definitionId: string): Role | undefined {
  const id = definitionId.slice(definitionId.lastIndexOf('/') + 1).toLowerCase()
  return /\/providers\/Microsoft\.Authorization\/roleDefinitions\/[^/]+$/i.test(definitionId)
    ? roles[id as keyof typeof roles]
    : undefined
}

/** Returns the ID of a role's definition. */
export function roleNamed(name: string): string {
  const found = Object.entries(roles).find(([, role]) => role.name === name)
  if (found === undefined) throw new Error(`The emulator has no role ${name}.`)
  return found[0]
}

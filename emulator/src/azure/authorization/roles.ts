const roles = {
  '8e3af657-a8ff-443c-a75c-2fe8c4bcb635': { name: 'Owner', may: 'write' },
  'b24988ac-6180-42a0-ab88-20f7382dd24c': { name: 'Contributor', may: 'write' },
  'acdd72a7-3385-48ef-bd42-f606fba81ae7': { name: 'Reader', may: 'read' },
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

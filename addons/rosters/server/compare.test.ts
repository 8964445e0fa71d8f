import { expect, test } from 'vitest'
import { compareRoster, type ListedMember, type StoredMember } from './compare.ts'

const listed = (externalId: string, overrides: Partial<ListedMember> = {}): ListedMember => ({
  externalId,
  email: `${externalId}@school.test`,
  name: null,
  role: 'learner',
  active: true,
  ...overrides,
})
const stored = (external_id: string, overrides: Partial<StoredMember> = {}): StoredMember => ({
  external_id,
  email: `${external_id}@school.test`,
  name: null,
  role: 'learner',
  listed: true,
  left_at: null,
  by_hand: false,
  ...overrides,
})
const members = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`)
const ids = (list: readonly ListedMember[]) => list.map(({ externalId }) => externalId)

test('divides a list into members who join, return, change and leave', () => {
  const before = [
    stored('same'),
    stored('renamed'),
    stored('returning', { listed: false, left_at: new Date(0) }),
    stored('omitted', { listed: false }),
    stored('inactive'),
    stored('gone'),
  ]
  const list = [
    listed('same'),
    listed('renamed', { name: 'Asha' }),
    listed('returning'),
    listed('omitted'),
    listed('inactive', { active: false }),
    listed('new'),
  ]
  const changes = compareRoster(before, list, 0)
  expect(ids(changes.joined)).toEqual(['new'])
  expect(ids(changes.returned)).toEqual(['returning'])
  expect(ids(changes.changed)).toEqual(['renamed', 'omitted'])
  expect(changes.leaving).toEqual(['inactive', 'gone'])
  expect(changes.needsApproval).toBe(false)
})

test('returns nothing for the same list in any order and with duplicates', () => {
  const before = members(30).map((id) => stored(id))
  const list = members(30).map((id) => listed(id))
  const changes = compareRoster(before, [...list.toReversed(), ...list], 0)
  expect(changes).toEqual({ joined: [], returned: [], changed: [], absent: [], leaving: [], needsApproval: false })
})

test.each([
  // The columns are: current members, members no longer listed, members who left during the last hour, waits for an
  // admin.
  [10, 5, 0, false],
  [10, 6, 0, true],
  [30, 6, 0, false],
  [31, 6, 0, false],
  [29, 6, 0, true],
  [2_000, 400, 0, false],
  [2_000, 401, 0, true],
  [2_000, 500, 0, true],
  [2_000, 2_000, 0, true],
  [5, 5, 0, false],
  // Removals during the last hour count.
  [1_601, 1, 399, false],
  [1_600, 1, 400, true],
  [1_600, 0, 400, false],
])(
  'with %i members, %i no longer listed and %i who left in the last hour, needs approval: %s',
  (present, absent, recent, expected) => {
    const all = members(present)
    const changes = compareRoster(
      all.map((id) => stored(id)),
      all.slice(absent).map((id) => listed(id)),
      recent,
    )
    expect(changes.needsApproval).toBe(expected)
    expect(changes.absent).toHaveLength(absent)
    expect(changes.leaving).toHaveLength(expected ? 0 : absent)
  },
)

test('never removes or counts members who were manually added', () => {
  const all = members(20)
  const changes = compareRoster(
    all.map((id, i) => stored(id, { by_hand: i < 15 })),
    [],
    0,
  )
  expect(changes.leaving).toEqual(all.slice(15))
  expect(changes.needsApproval).toBe(false)
})

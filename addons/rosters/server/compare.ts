import { REMOVAL_COUNT, REMOVAL_SHARE } from '../contract/training-roster.ts'

/** A member in the list of a source. */
export interface ListedMember {
  /** Identifies the person at the source. */
  readonly externalId: string
  /** Address of the user, in lower case. The source must verify that the address belongs to the member. */
  readonly email: string
  readonly name: string | null
  readonly role: 'learner' | 'instructor'
  /** Inactive members are treated as not listed. */
  readonly active: boolean
}

/** A member as stored by the last run. */
export interface StoredMember {
  readonly external_id: string
  readonly email: string
  readonly name: string | null
  readonly role: 'learner' | 'instructor'
  readonly listed: boolean
  readonly left_at: Date | null
  /** True if an admin added the member. The list never removes such a member. */
  readonly by_hand: boolean
}

export interface RosterChanges {
  readonly joined: readonly ListedMember[]
  /** Members who had left and are listed again. */
  readonly returned: readonly ListedMember[]
  /** Current members that are listed with another address, name or role, or are listed again after an omission. */
  readonly changed: readonly ListedMember[]
  /** IDs of current members that are no longer listed. */
  readonly absent: readonly string[]
  /** IDs of absent members that leave now. Empty if an admin must approve the removal. */
  readonly leaving: readonly string[]
  /** True if more members would leave than a run may remove without an admin's approval. */
  readonly needsApproval: boolean
}

/**
 * Returns the changes that make the members of a roster match the list of its source.
 * @param recentlyLeft number of members who left during the last hour without an admin's approval. They count towards
 * the limit, so that the limit also applies to a source that removes members one by one
 */
export function compareRoster(
  stored: readonly StoredMember[],
  list: readonly ListedMember[],
  recentlyLeft: number,
): RosterChanges {
  const listed = new Map(list.filter(({ active }) => active).map((member) => [member.externalId, member]))
  const known = new Map(stored.map((member) => [member.external_id, member]))
  const [joined, returned, changed]: [ListedMember[], ListedMember[], ListedMember[]] = [[], [], []]
  for (const member of listed.values()) {
    const before = known.get(member.externalId)
    if (before === undefined) joined.push(member)
    else if (before.left_at !== null) returned.push(member)
    else if (!before.listed || differs(before, member)) changed.push(member)
  }
  const currentMembers = stored.filter(({ left_at }) => left_at === null)
  const absent = currentMembers.filter(({ external_id }) => !listed.has(external_id))
  const removable = absent.filter(({ by_hand }) => !by_hand)
  const needsApproval = exceedsRemovalLimit(removable.length, recentlyLeft, currentMembers.length)
  const ids = (members: readonly StoredMember[]) => members.map(({ external_id }) => external_id)
  return { joined, returned, changed, absent: ids(absent), leaving: needsApproval ? [] : ids(removable), needsApproval }
}

const differs = (before: StoredMember, { email, name, role }: ListedMember): boolean =>
  before.email !== email || before.name !== name || before.role !== role

function exceedsRemovalLimit(leaving: number, recentlyLeft: number, memberCount: number): boolean {
  const all = leaving + recentlyLeft
  return leaving > 0 && all > REMOVAL_COUNT && all > REMOVAL_SHARE * (memberCount + recentlyLeft)
}

import { describe, expect, test } from 'vitest'
import { elementsRead, matches, parseFilter, type Json } from './filter.ts'
import { listRequest, project, projectionOf } from './list.ts'
import { normaliseResource, type Resource } from './normalise.ts'
import { applyPatch } from './patch.ts'
import { ScimError } from './scim-error.ts'
import { ENTERPRISE_SCHEMA, GROUPS, USER_SCHEMA, USERS } from './schemas.ts'

const asha: Resource = {
  userName: 'Asha@School.test',
  externalId: 'Ext-1',
  active: true,
  title: 'a "quoted" (title)',
  name: { givenName: 'Asha', familyName: 'Rao', middleName: 'School\\AshaA\n' },
  emails: [
    { value: 'asha@school.test', type: 'work', primary: true },
    { value: 'asha@home.test', type: 'home' },
  ],
  [ENTERPRISE_SCHEMA]: { department: 'Physics', manager: { value: 'M1' } },
}
const resource: Json = {
  schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA],
  id: '11111111-1111-4111-8111-111111111111',
  ...asha,
  meta: { resourceType: 'User', created: '2026-01-31T10:00:00.000Z', lastModified: '2026-02-01T10:00:00.000Z' },
}

const refusalOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof ScimError) return `${error.status} ${error.scimType}`
    throw error
  }
  return 'accepted'
}

// Operators of RFC 7644, section 3.4.2.2.
test.each([
  ['userName eq "asha@school.test"', true],
  ['USERNAME EQ "ASHA@SCHOOL.TEST"', true],
  ['userName ne "asha@school.test"', false],
  ['externalId eq "Ext-1"', true],
  ['externalId eq "ext-1"', false],
  ['id eq "11111111-1111-4111-8111-111111111111"', true],
  ['name.familyName co "ao"', true],
  ['userName sw "asha"', true],
  ['userName ew ".test"', true],
  ['userName sw Asha', true],
  ['title pr', true],
  ['nickName pr', false],
  ['nickName eq null', true],
  ['not (nickName pr)', true],
  ['active eq true', true],
  ['active eq "True"', true],
  ['active ne false', true],
  ['emails eq "asha@home.test"', true],
  ['manager eq "M1"', true],
  ['manager.value eq "M2"', false],
  ['emails.value co "home.test"', true],
  ['emails[type eq "work"].value eq "asha@school.test"', true],
  ['emails[type eq "work"].value eq "asha@home.test"', false],
  ['emails[type eq "work"] and emails.value eq "asha@home.test"', true],
  ['emails[type eq "work" and value co "@school.test"]', true],
  ['emails[type eq "work" and value co "@home.test"]', false],
  ['emails[not (type eq "work")]', true],
  ['emails.primary eq true', true],
  ['emails ne "nobody@school.test"', true],
  ['emails ne "asha@home.test"', false],
  ['title eq "a \\"quoted\\" (title)"', true],
  ['name.middleName eq "School\\\\Asha\\u0041\\n"', true],
  ['not (manager.$ref pr)', true],
  ['meta.created gt "2026-01-31T09:00:00Z"', true],
  ['meta.created lt "2026-01-31T15:30:00+05:30"', false],
  ['meta.created ge "2026-01-31T15:30:00+05:30"', true],
  ['meta.lastModified ge "0001-01-03T00:00:00.0000000Z"', true],
  ['meta.Created gt 2015-10-10T14:38:21.8617979-07:00', true],
  ['userName gt "aaa" and userName lt "zzz"', true],
  // `and` binds stronger than `or`, `not` stronger than both.
  ['title pr or nickName pr and nickName pr', true],
  ['(title pr or nickName pr) and nickName pr', false],
  ['not (title pr) or userName pr', true],
  [`${ENTERPRISE_SCHEMA}:department eq "physics"`, true],
  [`${ENTERPRISE_SCHEMA}:manager.value eq "M1"`, true],
  [`${USER_SCHEMA}:userName eq "asha@school.test"`, true],
  [`schemas eq "${ENTERPRISE_SCHEMA}"`, true],
])('the filter %s is %s', (filter, expected) => {
  expect(matches(parseFilter(USERS, filter), resource)).toBe(expected)
})

test.each([
  'unknown eq "x"',
  'userName',
  'userName eq',
  'userName xx "a"',
  'userName eq "a" and',
  '(userName eq "a"',
  'userName eq "a")',
  'userName eq "unfinished',
  'not userName eq "a"',
  'userName pr not (title pr)',
  'userName pr constructor userName pr',
  'userName pr __proto__ userName pr',
  `userName eq "${'\n'.repeat(500)}`,
  'active gt true',
  'active eq "yes"',
  'meta.created gt "yesterday"',
  'emails[type eq "work"',
  'userName[type eq "work"]',
  'name.unknown eq "x"',
  `${'('.repeat(30)}userName pr${')'.repeat(30)}`,
  `userName eq "${'x'.repeat(2_000)}"`,
])('refuses the filter %s instead of returning everything', (filter) => {
  expect(refusalOf(() => parseFilter(USERS, filter))).toBe('400 invalidFilter')
})

describe('a PATCH of a user', () => {
  const patched = (...operations: object[]) => applyPatch(USERS, asha, { Operations: operations })
  const emailsAfter = (...operations: object[]) => patched(...operations)['emails']
  const extension = (...operations: object[]) => patched(...operations)[ENTERPRISE_SCHEMA]

  test.each([
    // Entra ID sends capitals, texts for booleans, paths with filters, and dotted keys.
    [{ op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    [{ op: 'replace', value: { active: false } }, { active: false }],
    [{ op: 'Add', path: 'name.familyName', value: 'Iyer' }, { name: { givenName: 'Asha', familyName: 'Iyer' } }],
    [{ op: 'replace', value: { 'name.givenName': 'A', nickName: 'Ash' } }, { nickName: 'Ash' }],
    [{ op: 'replace', path: 'NICKNAME', value: 'Ash' }, { nickName: 'Ash' }],
    [{ op: 'replace', path: 'name', value: { givenName: 'A' } }, { name: { givenName: 'A', familyName: 'Rao' } }],
    [{ op: 'add', value: { id: 'other', groups: [{ value: 'x' }], nickName: 'Ash' } }, { nickName: 'Ash' }],
    [{ op: 'replace', path: 'password', value: 'secret' }, asha],
    [{ op: 'add', value: { unknown: 1, nickName: 'Ash' } }, { nickName: 'Ash' }],
    [{ op: 'replace', path: 'roles', value: '{"value":"teacher"}' }, { roles: [{ value: 'teacher' }] }],
    // Other clients wrap single values in a list.
    [{ op: 'replace', path: 'active', value: [false] }, { active: false }],
    [{ op: 'replace', path: 'active', value: ['False'] }, { active: false }],
    [{ op: 'Replace', path: 'active', value: [{ $ref: null, value: 'False' }] }, { active: false }],
    [{ op: 'replace', value: { active: [' FALSE '] } }, { active: false }],
    [{ op: 'replace', path: 'name', value: [{ givenName: 'A' }] }, { name: { givenName: 'A', familyName: 'Rao' } }],
  ])('%j is applied', (operation, expected) => {
    expect(patched(operation)).toMatchObject(expected)
  })

  test.each([
    [`${ENTERPRISE_SCHEMA}:department`, 'Maths', { department: 'Maths', manager: { value: 'M1' } }],
    [`${ENTERPRISE_SCHEMA}:manager`, 'M2', { department: 'Physics', manager: { value: 'M2' } }],
    [`${ENTERPRISE_SCHEMA}:manager`, ['M2'], { department: 'Physics', manager: { value: 'M2' } }],
    [`${ENTERPRISE_SCHEMA}:manager`, [{ value: 'M2' }], { department: 'Physics', manager: { value: 'M2' } }],
    [`${ENTERPRISE_SCHEMA}:manager.value`, ['M2'], { department: 'Physics', manager: { value: 'M2' } }],
    [ENTERPRISE_SCHEMA, [{ manager: ['M2'] }], { department: 'Physics', manager: { value: 'M2' } }],
    [`${ENTERPRISE_SCHEMA}.manager`, 'M2', { department: 'Physics', manager: { value: 'M2' } }],
    [`${ENTERPRISE_SCHEMA}:manager`, { value: 'M2' }, { department: 'Physics', manager: { value: 'M2' } }],
    [ENTERPRISE_SCHEMA, { department: 'Maths' }, { department: 'Maths', manager: { value: 'M1' } }],
  ])('%s is replaced by %j', (path, value, expected) => {
    expect(extension({ op: 'replace', path, value })).toEqual(expected)
    expect(extension({ op: 'replace', value: { [path]: value } })).toEqual(expected)
  })

  test.each([
    'unknown',
    'name.unknown',
    'emails[type eq "work"].unknown',
    'emails[unknown eq "x"].value',
    `${ENTERPRISE_SCHEMA}:badge`,
    `${ENTERPRISE_SCHEMA}:manager.badge`,
    'urn:ietf:params:scim:schemas:extension:custom:2.0:User:badge',
    'urn:ietf:params:scim:schemas:extension:custom:2.0:User',
  ])('ignores the unknown attribute %s and sets the others', (path) => {
    for (const op of ['Add', 'Replace', 'Remove']) {
      const active = { op: 'Replace', path: 'active', value: 'False' }
      expect(patched({ op, path, value: 'x' }, active)).toEqual({ ...asha, active: false })
    }
    expect(patched({ op: 'Replace', value: { [path]: 'x', active: 'False' } })).toEqual({ ...asha, active: false })
  })

  test('changes, adds and removes elements of a list', () => {
    const [work, home] = asha['emails'] as Json[]
    expect(emailsAfter({ op: 'replace', path: 'emails[type eq "work"].value', value: 'a@b.test' })).toEqual([
      { ...work, value: 'a@b.test' },
      home,
    ])
    // Entra ID sets a first value this way.
    expect(emailsAfter({ op: 'Replace', path: 'emails[type eq "other"].value', value: 'a@b.test' })).toEqual([
      work,
      home,
      { type: 'other', value: 'a@b.test' },
    ])
    expect(emailsAfter({ op: 'add', path: 'emails', value: [home, { value: 'n@b.test', primary: true }] })).toEqual([
      { ...work, primary: false },
      home,
      { value: 'n@b.test', primary: true },
    ])
    expect(emailsAfter({ op: 'replace', path: 'emails', value: [{ value: 'n@b.test' }] })).toEqual([
      { value: 'n@b.test' },
    ])
    expect(emailsAfter({ op: 'replace', path: 'emails[type eq "home"].primary', value: true })).toEqual([
      { ...work, primary: false },
      { ...home, primary: true },
    ])
    expect(emailsAfter({ op: 'remove', path: 'emails[type eq "home"]' })).toEqual([work])
    expect(emailsAfter({ op: 'remove', path: 'emails', value: [{ value: 'asha@home.test' }] })).toEqual([work])
    expect(emailsAfter({ op: 'remove', path: 'emails[type eq "none"]' })).toEqual([work, home])
    expect(emailsAfter({ op: 'remove', path: 'emails' })).toBeUndefined()
    expect(emailsAfter({ op: 'replace', path: 'emails', value: null })).toBeUndefined()
  })

  test.each([
    [{ op: 'remove' }, '400 noTarget'],
    [{ op: 'replace', path: 'emails[type eq "none"]', value: { value: 'x' } }, '400 noTarget'],
    [{ op: 'replace', path: 'id', value: 'x' }, '400 mutability'],
    [{ op: 'replace', path: 'meta.created', value: '2026-01-01T00:00:00Z' }, '400 mutability'],
    [{ op: 'add', path: 'groups', value: [{ value: 'x' }] }, '400 mutability'],
    [{ op: 'remove', path: 'userName' }, '400 mutability'],
    [{ op: 'replace', path: 'emails[', value: 'x' }, '400 invalidPath'],
    [{ op: 'move', path: 'title', value: 'x' }, '400 invalidSyntax'],
    [{ op: 'add', path: 'title' }, '400 invalidValue'],
    [{ op: 'add', value: 'x' }, '400 invalidValue'],
    [{ op: 'replace', path: 'active', value: 'maybe' }, '400 invalidValue'],
    [{ op: 'replace', path: 'title', value: { a: 1 } }, '400 invalidValue'],
    [{ op: 'replace', path: 'title', value: 'nul \0' }, '400 invalidValue'],
  ])('%j is refused with %s, and changes nothing', (operation, expected) => {
    const before = structuredClone(asha)
    expect(refusalOf(() => patched({ op: 'add', path: 'nickName', value: 'A' }, operation))).toBe(expected)
    expect(asha).toEqual(before)
  })

  test.each([[{}], [{ Operations: [] }], [[]], [{ Operations: [null] }], [{ schemas: ['x'], Operations: [{}] }]])(
    'the body %j is refused',
    (body) => {
      expect(refusalOf(() => applyPatch(USERS, asha, body))).toBe('400 invalidSyntax')
    },
  )

  test.each([
    [{ Operations: [{ op: { toString: 1 }, path: 'active', value: false }] }],
    [{ schemas: [{ toString: 1 }], Operations: [{ op: 'add', path: 'active', value: false }] }],
  ])('the body %j, with an object that cannot be converted to a text, is refused', (body) => {
    expect(refusalOf(() => applyPatch(USERS, asha, body))).toBe('400 invalidSyntax')
  })

  test('does not change other objects if an object names a prototype', () => {
    const body = JSON.parse(
      '{"Operations":[{"op":"add","value":{"__proto__":{"active":false},"constructor":{"a":1}}}]}',
    )
    expect(applyPatch(USERS, asha, body)).toEqual(asha)
    expect(({} as Json)['active']).toBeUndefined()
  })
})

describe('a PATCH of a group', () => {
  const group: Resource = { displayName: 'Class', members: [{ value: 'a', display: 'A' }, { value: 'b' }] }
  const members = (...operations: object[]) =>
    ((applyPatch(GROUPS, group, { Operations: operations })['members'] as Json[] | undefined) ?? []).map(
      ({ value }) => value,
    )

  test.each([
    [{ op: 'Add', path: 'members', value: [{ $ref: null, value: 'c' }] }, ['a', 'b', 'c']],
    [{ op: 'add', path: 'members', value: { value: 'c' } }, ['a', 'b', 'c']],
    [{ op: 'add', path: 'members', value: 'c' }, ['a', 'b', 'c']],
    [{ op: 'add', path: 'members', value: [{ value: 'a' }] }, ['a', 'b']],
    [{ op: 'add', value: { members: [{ value: 'c' }] } }, ['a', 'b', 'c']],
    [{ op: 'replace', value: { id: 'x', displayName: 'New' } }, ['a', 'b']],
    [{ op: 'replace', path: 'members', value: [{ value: 'c' }] }, ['c']],
    [{ op: 'replace', path: 'members', value: [] }, []],
    [{ op: 'remove', path: 'members[value eq "a"]' }, ['b']],
    [{ op: 'Remove', path: 'members', value: [{ value: 'a' }] }, ['b']],
    [{ op: 'remove', path: 'members[value eq "a" or value eq "b"]' }, []],
    [{ op: 'remove', path: 'members[value eq "z"]' }, ['a', 'b']],
    [{ op: 'remove', path: 'members' }, []],
  ])('%j leaves %j', (operation, expected) => {
    expect(members(operation)).toEqual(expected)
  })

  test('adds and removes 2,000 members in one request', () => {
    const many = Array.from({ length: 2_000 }, (_, i) => ({ value: `m${i}` }))
    const full = applyPatch(GROUPS, group, { Operations: [{ op: 'add', path: 'members', value: many }] })
    expect(full['members']).toHaveLength(2_002)
    const operations = many.map(({ value }) => ({ op: 'remove', path: `members[value eq "${value}"]` }))
    expect(applyPatch(GROUPS, full, { Operations: operations })['members']).toHaveLength(2)
  })
})

test.each([
  ['a filter', (i: number) => ({ op: 'remove', path: `members[display eq "x${i}"]` })],
  [
    'a long filter',
    (i: number) => ({ op: 'remove', path: `members[${Array(40).fill(`display co "x${i}"`).join(' or ')}]` }),
  ],
  [
    'additions and removals in turn',
    (i: number) => ({ op: i % 2 === 0 ? 'add' : 'remove', path: 'members', value: [{ value: 'x' }] }),
  ],
])('%s in 1,000 operations on 20,000 members is refused after a limited number of comparisons', (_what, operation) => {
  const members = Array.from({ length: 20_000 }, (_, i) => ({ value: `m${i}`, display: `Member ${i}` }))
  const group: Resource = { displayName: 'Class', members }
  const operations = Array.from({ length: 1_000 }, (_, i) => operation(i))
  expect(() => applyPatch(GROUPS, group, { Operations: operations })).toThrow('Send fewer operations')
})

test('paths as the names of attributes count as operations', () => {
  const members = Array.from({ length: 20_000 }, (_, i) => ({ value: `m${i}` }))
  const value = Object.fromEntries(
    members.slice(0, 100).map((each) => [`members[value eq "${each.value}"].display`, 'x']),
  )
  expect(() => applyPatch(GROUPS, { displayName: 'Class', members }, { Operations: [{ op: 'add', value }] })).toThrow(
    'Send fewer operations',
  )
})

test('more members in two operations than a call has arguments are refused as too many', () => {
  const operation = { op: 'add', path: 'members', value: Array.from({ length: 150_000 }, () => 'x') }
  expect(() => applyPatch(GROUPS, { displayName: 'Class' }, { Operations: [operation, operation] })).toThrow(
    'more than 20000 elements',
  )
})

test('stores known attributes with their canonical names, and ignores unknown attributes', () => {
  expect(
    normaliseResource(USERS, {
      schemas: [USER_SCHEMA.toUpperCase()],
      USERNAME: 'a',
      id: 'x',
      meta: {},
      password: 'secret',
      active: 'True',
      misspelt: 1,
      nickName: null,
      photos: [],
      emails: [{ Value: 'a@b.test', Primary: 'true' }, null],
      [ENTERPRISE_SCHEMA.toLowerCase()]: { Department: 'x', Manager: 'M' },
    }),
  ).toEqual({
    userName: 'a',
    active: true,
    emails: [{ value: 'a@b.test', primary: true }],
    [ENTERPRISE_SCHEMA]: { department: 'x', manager: { value: 'M' } },
  })
})

test.each([
  [{ attributes: 'userName,emails.value' }, ['schemas', 'id', 'userName', 'emails']],
  [{ attributes: 'emails[type eq "work"]' }, ['schemas', 'id', 'emails']],
  [{ attributes: ENTERPRISE_SCHEMA }, ['schemas', 'id', ENTERPRISE_SCHEMA]],
  [{ attributes: 'unknown' }, ['schemas', 'id']],
  [{ attributes: ['userName', 'title'] }, ['schemas', 'id', 'userName', 'title']],
  [
    { excludedAttributes: 'ID,emails,name,meta,active,title,externalId' },
    ['schemas', 'id', 'userName', ENTERPRISE_SCHEMA],
  ],
])('%j selects %j', (query, expected) => {
  expect(Object.keys(project(resource, projectionOf(USERS, query))).toSorted()).toEqual(expected.toSorted())
})

test.each([
  [{}, 0, 100],
  [{ startIndex: '0', count: '5' }, 0, 5],
  [{ startIndex: '-3', count: '-1' }, 0, 0],
  [{ startindex: '11', COUNT: '100000' }, 10, 200],
  [{ startIndex: 2, count: 0 }, 1, 0],
])('the page of %j starts after %i and has at most %i resources', (query, offset, count) => {
  expect(listRequest(USERS, query)).toMatchObject({ offset, count })
})

test.each([
  ['a text', 'a,'.repeat(20_000)],
  ['a list', Array.from({ length: 20_000 }, () => 'userName')],
  ['a list of lists', ['title,'.repeat(60), 'title,'.repeat(60)]],
])('refuses %s of more attributes than a resource has, before it is parsed', (_what, attributes) => {
  expect(refusalOf(() => projectionOf(GROUPS, { attributes }))).toBe('400 invalidValue')
})

test.each([
  ['members eq "a"', ['a']],
  ['members.value ne "a" or members[value eq "b" and display co "x"]', ['a', 'b']],
  ['not (members[value eq "a" or value eq "b"].display pr) and displayName pr', ['a', 'b']],
  ['displayName pr', []],
  ['members pr', null],
  ['members eq null', null],
  ['members co "a"', null],
  ['members.display eq "a"', null],
  ['members[display eq "a"]', null],
  ['members[not (value eq "a")]', null],
  ['members eq "a" and members[value eq "b" or display eq "c"]', null],
])('reads for %s the members %j', (filter, expected) => {
  expect(elementsRead(parseFilter(GROUPS, filter), 'members')).toEqual(expected)
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Call } from '@trainyard/contract/call.ts'
import { type Contract, contract } from '@trainyard/contract/contract.ts'
import { ROLES } from '@trainyard/contract/words/role.ts'
import { startTestPortal, type RequestOptions, type TestPortal } from '#test/portal.ts'
import { createSubjects, PEOPLE, type Subject } from '#test/world.ts'
import { type Row, ROWS } from './test-rows.ts'

type Proofs = { [M in keyof Contract]: { [K in keyof Contract[M]]: 'confirm' | 'none' } }

/** Calls by module, with their requirement of a recent confirmation of the user's identity. */
const PROOFS: Proofs = {
  session: {
    login: 'none',
    loginSecond: 'none',
    loginPasskey: 'none',
    logout: 'none',
    me: 'none',
    setPassword: 'none',
    confirmChange: 'none',
    forgot: 'none',
    invitation: 'none',
  },
  privacy: {
    settings: 'none',
    changeSettings: 'none',
    notice: 'none',
    exportPerson: 'none',
    exportMine: 'none',
    erase: 'confirm',
    erasures: 'none',
  },
  apiKey: { list: 'none', read: 'none', create: 'confirm', revoke: 'none' },
  account: {
    sessions: 'none',
    endSession: 'none',
    endSessions: 'none',
    changePassword: 'none',
  },
  organisation: {
    list: 'none',
    create: 'none',
    remove: 'confirm',
    settings: 'none',
    changeProfile: 'none',
    changeSources: 'none',
    changeLogo: 'none',
    changeSecurity: 'confirm',
  },
  firstSteps: { createCustomer: 'confirm', createDemoClass: 'none', removeDemoClass: 'none' },
  user: {
    list: 'none',
    create: 'confirm',
    invite: 'confirm',
    resendInvitation: 'confirm',
    revokeInvitation: 'confirm',
    remove: 'confirm',
  },
  secondFactor: {
    read: 'none',
    confirm: 'none',
    beginApp: 'confirm',
    addApp: 'confirm',
    removeApp: 'confirm',
    renewRecoveryCodes: 'confirm',
    resets: 'none',
    askReset: 'confirm',
    confirmReset: 'confirm',
    withdrawReset: 'confirm',
  },
  passkey: {
    beginLogin: 'none',
    beginProof: 'none',
    begin: 'confirm',
    add: 'confirm',
    rename: 'none',
    remove: 'confirm',
  },
  identityProvider: {
    show: 'none',
    save: 'confirm',
    remove: 'confirm',
    test: 'none',
    addDomain: 'confirm',
    verifyDomain: 'confirm',
    confirmDomain: 'confirm',
    removeDomain: 'confirm',
  },
  providerSignIn: {
    start: 'none',
    finish: 'none',
  },
  people: {
    list: 'none',
    change: 'confirm',
    invite: 'confirm',
    renameMyself: 'none',
  },
  network: {
    list: 'none',
    create: 'confirm',
    change: 'confirm',
    remove: 'confirm',
    issueToken: 'confirm',
    revoke: 'confirm',
  },
  template: {
    list: 'none',
    create: 'none',
    read: 'none',
    sizes: 'none',
    edit: 'none',
    remove: 'none',
    assigned: 'none',
    assign: 'none',
    unassign: 'none',
    orderable: 'none',
  },
  training: {
    names: 'none',
  },
  machine: {
    list: 'none',
    names: 'none',
    watch: 'none',
    power: 'none',
    undo: 'none',
    restart: 'none',
    remove: 'none',
    reset: 'none',
    handOver: 'none',
    handOverAll: 'none',
    order: 'none',
    lastOrder: 'none',
    operations: 'none',
    removeTraining: 'none',
  },
  quota: {
    read: 'none',
    increase: 'none',
  },
  schedule: {
    list: 'none',
    create: 'none',
    remove: 'none',
  },
  recurrence: {
    list: 'none',
    preview: 'none',
    create: 'none',
    remove: 'none',
    setEnd: 'none',
  },
  ready: {
    list: 'none',
    plan: 'none',
    cancel: 'none',
  },
  classSession: {
    list: 'none',
    preview: 'none',
    create: 'none',
    change: 'none',
    skip: 'none',
    remove: 'none',
  },
  holidays: {
    list: 'none',
    add: 'none',
    remove: 'none',
  },
  attendance: {
    list: 'none',
    csv: 'none',
    pdf: 'none',
  },
  calendar: {
    list: 'none',
    create: 'none',
    revoke: 'none',
    read: 'none',
  },
  accessWindow: {
    read: 'none',
  },
  port: {
    list: 'none',
    open: 'none',
    close: 'none',
  },
  scim: { show: 'none', createToken: 'confirm', revokeToken: 'none', mapGroup: 'confirm' },
  roster: { show: 'none', save: 'none', remove: 'none', decide: 'none' },
  remote: {
    ticket: 'none',
    connect: 'none',
    usable: 'none',
    openings: 'none',
    watch: 'none',
    folder: 'none',
    transfers: 'none',
    transfer: 'none',
    giveUp: 'none',
    filesAllowed: 'none',
    allowFiles: 'none',
    ending: 'none',
  },
  classroom: {
    list: 'none',
    watch: 'none',
    mine: 'none',
    watchMine: 'none',
    raiseHand: 'none',
    lowerHand: 'none',
    here: 'none',
    announce: 'none',
    takeBack: 'none',
    extend: 'none',
    setIdleStop: 'none',
    setWatching: 'none',
    setEarlyStart: 'none',
    startable: 'none',
    power: 'none',
    hands: 'none',
    invitations: 'none',
    invite: 'confirm',
    instructors: 'none',
    addInstructor: 'confirm',
    removeInstructor: 'none',
  },
  search: {
    find: 'none',
  },
  azureSandbox: {
    read: 'none',
    create: 'none',
    remove: 'none',
    signIn: 'none',
  },
  sandboxUser: {
    list: 'none',
    create: 'none',
    renew: 'none',
    ended: 'none',
    remove: 'none',
    issueAccessPass: 'confirm',
    showAccessPass: 'confirm',
  },
  awsSandbox: {
    read: 'none',
    signIn: 'none',
  },
  awsUser: {
    list: 'none',
    create: 'none',
    renew: 'none',
    ended: 'none',
    remove: 'none',
  },
  home: {
    dashboard: 'none',
    usage: 'none',
    trainings: 'none',
    nextClass: 'none',
    attention: 'none',
    expiring: 'none',
    contact: 'none',
  },
  ledger: {
    summary: 'none',
    add: 'none',
    addTds: 'none',
    tdsReceipts: 'none',
    certifyTds: 'none',
    reverse: 'none',
    writeOff: 'none',
    reversible: 'none',
    ageing: 'none',
    trialBalance: 'none',
    open: 'none',
    account: 'none',
  },
  payment: {
    order: 'none',
    verify: 'none',
    refunds: 'none',
    refund: 'none',
    requests: 'none',
    request: 'none',
    cancelRequest: 'none',
    webhook: 'none',
  },
  supplier: {
    read: 'none',
    change: 'none',
  },
  invoice: {
    customer: 'none',
    changeCustomer: 'none',
    preview: 'none',
    draft: 'none',
    issue: 'none',
    list: 'none',
    read: 'none',
    credit: 'none',
    debit: 'none',
    draftOneOff: 'none',
    issueOneOff: 'none',
    register: 'none',
    cancel: 'none',
    recordCancellation: 'none',
    pdf: 'none',
    json: 'none',
  },
  notification: { list: 'none', mark: 'none', watch: 'none' },
  changeRequest: {
    list: 'none',
    askHours: 'none',
    askQuota: 'none',
    askAdmin: 'none',
    withdraw: 'none',
    decide: 'none',
  },
  taxStatus: {
    read: 'none',
    open: 'none',
    effect: 'none',
    request: 'none',
    withdraw: 'none',
    decide: 'none',
    change: 'none',
    document: 'none',
  },
  books: {
    export: 'none',
    statement: 'none',
    statementPdf: 'none',
  },
  settlement: {
    list: 'none',
    lines: 'none',
    differences: 'none',
  },
  gstReturn: {
    read: 'none',
    json: 'none',
  },
  reminder: {
    list: 'none',
  },
  meter: {
    logs: 'none',
    bill: 'none',
    daily: 'none',
    runs: 'none',
    uncharged: 'none',
    clearLogs: 'none',
  },
  quote: {
    list: 'none',
    create: 'none',
    decide: 'none',
    withdraw: 'none',
    proforma: 'none',
    prepaid: 'none',
    pay: 'none',
    issue: 'none',
    pdf: 'none',
  },
  price: { list: 'none', set: 'none', remove: 'none' },
  credit: {
    read: 'none',
    setAccount: 'none',
    setAlert: 'none',
    record: 'none',
    setTerms: 'none',
  },
  budget: {
    list: 'none',
    set: 'none',
    remove: 'none',
    forecast: 'none',
    alerts: 'none',
    putAway: 'none',
  },
  webhook: {
    list: 'none',
    create: 'none',
    change: 'none',
    remove: 'none',
    rotate: 'none',
    test: 'none',
    deliveries: 'none',
    delivery: 'none',
    resend: 'none',
  },
  cost: {
    imports: 'none',
    begin: 'none',
    send: 'none',
    remove: 'none',
    month: 'none',
    unclaimed: 'none',
    orphans: 'none',
    adopt: 'none',
    release: 'none',
    deleteOrphan: 'none',
  },
  waste: {
    list: 'none',
    schedule: 'none',
  },
  lms: {
    list: 'none',
    create: 'confirm',
    renewLink: 'confirm',
    save: 'confirm',
    suspend: 'confirm',
    remove: 'confirm',
    decideDeployment: 'confirm',
    connectCourse: 'none',
    setScore: 'none',
    test: 'none',
  },
  ltiLaunch: {
    keys: 'none',
    start: 'none',
    finish: 'none',
    enter: 'none',
    handOver: 'none',
    choose: 'none',
    link: 'none',
    register: 'none',
  },
  registration: {
    read: 'none',
    requestAccount: 'none',
    confirmation: 'none',
    beginPasskey: 'none',
    createAccount: 'none',
    mine: 'none',
    takeSeat: 'none',
  },
  registrationLink: {
    list: 'none',
    registrations: 'none',
    create: 'none',
    change: 'none',
    rotate: 'none',
    revoke: 'none',
    approve: 'none',
    decline: 'none',
  },
  labImport: {
    list: 'none',
    connect: 'none',
    upload: 'none',
    refresh: 'none',
    remove: 'none',
    plan: 'none',
    choose: 'none',
    makeTemplate: 'none',
    apply: 'none',
    cutOver: 'none',
    rollBack: 'none',
    report: 'none',
  },
  image: {
    capture: 'none',
    list: 'none',
  },
  audit: {
    list: 'none',
    export: 'none',
  },
  health: {
    check: 'none',
    live: 'none',
    ready: 'none',
    prove: 'none',
  },
}

const calls = Object.entries(contract).flatMap(([module, ofModule]) =>
  Object.entries(ofModule as Record<string, Call>).map(([name, call]) => ({
    title: `${module}.${name}`,
    call,
    proof: (PROOFS as Record<string, Record<string, 'confirm' | 'none'>>)[module]?.[name],
    row: (ROWS as unknown as Record<string, Record<string, Row<Call>>>)[module]?.[name],
  })),
)

// @covers A106 A506
test('every call states whether it requires a confirmed identity, and if not, why', () => {
  for (const { title, call, proof } of calls) {
    expect([title, call.freshProof.startsWith('none: ') ? 'none' : call.freshProof]).toEqual([title, proof])
  }
})

test('only calls of signed-in users that change something require a confirmed identity', () => {
  for (const { title, call } of calls.filter(({ proof }) => proof === 'confirm')) {
    expect([title, call.roles === 'anyone', call.method === 'GET']).toEqual([title, false, false])
  }
})

let portal: TestPortal
let own: Subject
beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
  ;({ own } = await createSubjects(portal))
})
afterAll(() => portal.close())

/** Opens a session of a user who confirmed the identity at the given time. The time applies to all sessions. */
async function sessionConfirmed(at: unknown, email: string): Promise<string> {
  const uid = await portal.sessionOf(email)
  await sql`update session set confirmed_at = ${at}`.execute(portal.owner)
  return uid
}

describe.each(calls.filter(({ proof }) => proof === 'confirm'))('$title', ({ call, row }) => {
  const may = ROLES.filter((role) => !Array.isArray(call.roles) || call.roles.includes(role))

  // @covers A106
  test.each(may)('refuses %s without a recent confirmation, and changes nothing', async (role) => {
    const requests = [row!.request(own, role)].flat() as RequestOptions[]
    const changes = async () =>
      (await portal.owner.selectFrom('audit').select('id').where('refused', 'is', null).execute()).length
    const before = await changes()
    for (const at of [null, sql`portal_now() - interval '6 minutes'`]) {
      const uid = await sessionConfirmed(at, PEOPLE[role])
      for (const request of requests) {
        const reply = await portal.request(call.method, call.path, { ...request, uid })
        const body = (await reply.json()) as { code: string; message: string }
        expect([reply.status, body.code, body.message]).toEqual([403, 'confirmFirst', 'Please confirm that it is you.'])
      }
    }
    expect(await changes()).toBe(before)
  })
})

// @covers A106
test('a fresh sign-in counts as a confirmation', async () => {
  const uid = await portal.sessionOf(PEOPLE.superadmin)
  const body = {
    email: 'fresh@own.test',
    password: 'a good long one',
    organization: own.organization,
    userType: 'user',
  }
  const create = () => portal.request('POST', '/admin/users', { uid, body })
  expect((await create()).status).toBe(200)
  await sql`update session set confirmed_at = portal_now() - interval '6 minutes'`.execute(portal.owner)
  expect((await create()).status).toBe(403)
})

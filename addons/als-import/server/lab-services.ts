/** Returns a date. Weekly classes of the demo's labs begin on a Monday in the past and end in a year. */
const day = (now: Date, days: number): string => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)

function mondayBefore(now: Date): string {
  const days = (now.getUTCDay() + 6) % 7
  return day(now, -days)
}

const PROFILES = {
  autoShutdownProfile: {
    shutdownOnDisconnect: 'Enabled',
    shutdownWhenNotConnected: 'Enabled',
    shutdownOnIdle: 'LowUsage',
    disconnectDelay: 'PT0S',
    noConnectDelay: 'PT15M',
    idleDelay: 'PT30M',
  },
  connectionProfile: {
    webSshAccess: 'None',
    webRdpAccess: 'None',
    clientSshAccess: 'Public',
    clientRdpAccess: 'None',
  },
  rosterProfile: {},
  networkProfile: {},
}

interface DemoLab {
  readonly name: string
  readonly title: string
  readonly size: string
  readonly os: 'Linux' | 'Windows'
  readonly image: Readonly<Record<string, string>>
  readonly people: readonly string[]
  /** Staff with a role at the lab in Azure. */
  readonly staff?: Readonly<Record<string, 'Owner' | 'Contributor' | 'Lab Assistant'>>
  readonly times: readonly {
    readonly name: string
    readonly days: readonly string[]
    readonly from: string
    readonly to: string
  }[]
  readonly zone: string
  readonly state: 'Published' | 'Draft'
  /** Number of machines without a user. Other users get them through the lab's registration link. */
  readonly free?: number
}

const UBUNTU = { publisher: 'canonical', offer: '0001-com-ubuntu-server-jammy', sku: '22_04-lts', version: 'latest' }
const WINDOWS = { publisher: 'microsoftwindowsdesktop', offer: 'windows-11', sku: 'win11-23h2-pro', version: 'latest' }

const LABS: readonly DemoLab[] = [
  {
    name: 'networks-101',
    title: 'Networks 101',
    size: 'Classic_Fsv2_2_4GB_128_S_SSD',
    os: 'Linux',
    image: UBUNTU,
    people: ['Meera Pillai', 'Arjun Sethi', 'Zoya Khan'],
    staff: { 'Ira Bose': 'Owner', 'Tom Alvares': 'Lab Assistant' },
    times: [{ name: 'mondays', days: ['Monday', 'Wednesday'], from: '09:00', to: '11:00' }],
    zone: 'Asia/Kolkata',
    state: 'Published',
  },
  {
    name: 'office-basics',
    title: 'Office Basics',
    size: 'Classic_Fsv2_4_8GB_128_S_SSD',
    os: 'Windows',
    image: WINDOWS,
    people: ['Dev Malhotra', 'Nisha Rao'],
    times: [{ name: 'fridays', days: ['Friday'], from: '14:00', to: '16:00' }],
    zone: 'Asia/Kolkata',
    state: 'Published',
    free: 2,
  },
  {
    name: 'data-science',
    title: 'Data Science',
    size: 'Classic_Dsv4_4_16GB_128_P_SSD',
    os: 'Linux',
    image: UBUNTU,
    people: ['Farah Ali'],
    times: [],
    zone: 'Asia/Kolkata',
    state: 'Draft',
  },
]

const emailOf = (name: string): string => `${name.toLowerCase().replace(' ', '.')}@school.test`

/** Returns a lab plan with three labs, in the format of the emulator's `POST /_labs`. */
export function demoLabs(subscription: string, now: Date) {
  const [monday, end] = [mondayBefore(now), day(now, 360)]
  return {
    subscription,
    group: 'school-labs',
    location: 'southindia',
    plan: { name: 'school-plan', properties: { allowedRegions: ['southindia'] } },
    labs: LABS.map(({ name, title, size, os, image, people, staff = {}, times, zone, state, free = 0 }) => ({
      name,
      roles: Object.entries(staff).map(([displayName, role]) => ({ role, displayName, email: emailOf(displayName) })),
      properties: {
        state,
        ...PROFILES,
        virtualMachineProfile: {
          createOption: 'TemplateVM',
          imageReference: image,
          osType: os,
          sku: { name: size, capacity: state === 'Draft' ? 0 : people.length + free },
          additionalCapabilities: { installGpuDrivers: 'Disabled' },
          usageQuota: 'PT10H',
          useSharedPassword: 'Enabled',
          adminUser: { username: 'student' },
        },
        securityProfile: {
          registrationCode: `${name.replace(/[^a-z]/g, '').slice(0, 7)}42`,
          openAccess: free > 0 ? 'Enabled' : 'Disabled',
        },
        title,
      },
      users: people.map((displayName, index) => ({
        name: `user-${index + 1}`,
        properties: {
          email: emailOf(displayName),
          displayName,
          registrationState: index === 0 ? 'Registered' : 'NotRegistered',
          invitationState: 'Sent',
          totalUsage: index === 0 ? 'PT3H30M' : 'PT0S',
          additionalUsageQuota: index === 1 ? 'P1DT1H' : 'PT0S',
        },
      })),
      schedules: times.map(({ name: schedule, days, from, to }) => ({
        name: schedule,
        properties: {
          startAt: `${monday}T${from}:00Z`,
          stopAt: `${monday}T${to}:00Z`,
          recurrencePattern: { frequency: 'Weekly', weekDays: days, interval: 1, expirationDate: end },
          timeZoneId: zone,
        },
      })),
    })),
  }
}

/** Adds the demo's labs to the emulator, after the history of the machines. A repeated call replaces the labs. */
export const withDemoLabs =
  <Machines>(record: (machines: Machines) => Promise<void>, emulatorUrl: string, subscription: string) =>
  async (machines: Machines): Promise<void> => {
    await record(machines)
    const reply = await fetch(`${emulatorUrl}/_labs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(demoLabs(subscription, new Date())),
    })
    if (!reply.ok) throw new Error(`The emulator rejected the demo's labs: ${reply.status} ${await reply.text()}`)
  }

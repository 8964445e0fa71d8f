import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { type Paise, paise } from '@trainyard/platform/contract/words/money.ts'
import type { TemplateName } from './templates.ts'
import { ACME_LEDGER, type DemoLine, GLOBEX_LEDGER } from './ledger-lines.ts'

export const DEMO_PASSWORD = 'demo-Trainyard-1'

/** Returns the hash of an account's password; null if it has none. */
export type HashOf = (email: string) => string | null

export interface DemoTimetable {
  readonly starts: string
  readonly stops: string
  readonly access: { readonly start: string; readonly stop: string }
  readonly ports: readonly number[]
}

export interface DemoTraining {
  readonly name: string
  readonly template: TemplateName
  readonly guacamole: boolean
  readonly learners: readonly string[]
  readonly timetable?: DemoTimetable
}

export interface DemoOrganisation {
  readonly name: string
  readonly admin: string
  readonly learners: readonly string[]
  readonly templates: readonly TemplateName[]
  /** A fictitious GST number with a valid checksum. */
  readonly gst: string
  readonly creditLimit: Paise
  readonly signInDomain?: string
  readonly ledger: readonly DemoLine[]
  readonly past: readonly DemoTraining[]
  readonly currentTrainings: readonly DemoTraining[]
}

export const ORGANISATIONS: readonly DemoOrganisation[] = [
  {
    name: 'Acme Learning',
    admin: 'admin@acme.test',
    learners: ['learner@acme.test', 'asha@acme.test', 'vikram@acme.test', 'meera@acme.test'],
    gst: '29AAACA1234A1ZG',
    creditLimit: paise(1_00_000_00),
    ledger: ACME_LEDGER,
    templates: [
      'Ubuntu 24.04 Starter',
      'Ubuntu 24.04 Standard',
      'Ubuntu 24.04 Containers',
      'Windows Server 2022',
      'Windows Server 2022 Large',
    ],
    past: [
      {
        name: 'Linux 101',
        template: 'Ubuntu 24.04 Standard',
        guacamole: true,
        learners: ['learner@acme.test', 'asha@acme.test', 'vikram@acme.test'],
      },
      {
        name: 'Windows Administration',
        template: 'Windows Server 2022',
        guacamole: false,
        learners: ['vikram@acme.test', 'meera@acme.test'],
      },
      {
        name: 'Containers Workshop',
        template: 'Ubuntu 24.04 Containers',
        guacamole: true,
        learners: ['asha@acme.test', 'meera@acme.test'],
      },
    ],
    currentTrainings: [
      {
        name: 'Linux 101',
        template: 'Ubuntu 24.04 Standard',
        guacamole: true,
        learners: ['learner@acme.test', 'asha@acme.test'],
      },
      {
        name: 'Containers Workshop',
        template: 'Ubuntu 24.04 Containers',
        guacamole: true,
        learners: ['asha@acme.test', 'meera@acme.test'],
        timetable: {
          starts: '09:15',
          stops: '18:00',
          access: { start: '09:00', stop: '18:30' },
          ports: [80, 6443, 8080],
        },
      },
    ],
  },
  {
    name: 'Globex Academy',
    admin: 'admin@globex.test',
    learners: ['learner@globex.test', 'lena@globex.test', 'omar@globex.test'],
    gst: '27AAACG5678B1ZO',
    creditLimit: paise(50_000_00),
    ledger: GLOBEX_LEDGER,
    templates: ['Ubuntu 24.04 Starter', 'Windows Server 2022', 'Windows 11 Developer'],
    past: [
      {
        name: 'Linux 101',
        template: 'Ubuntu 24.04 Starter',
        guacamole: false,
        learners: ['learner@globex.test', 'lena@globex.test', 'omar@globex.test'],
      },
    ],
    currentTrainings: [
      { name: 'Linux 101', template: 'Ubuntu 24.04 Starter', guacamole: false, learners: ['learner@globex.test'] },
    ],
  },
  {
    name: 'Initech Learning',
    admin: 'admin@initech.test',
    learners: ['learner@initech.test'],
    signInDomain: 'initech.test',
    gst: '33AAACI9012C1Z7',
    creditLimit: paise(25_000_00),
    ledger: [],
    templates: ['Ubuntu 24.04 Starter'],
    past: [],
    currentTrainings: [],
  },
]

export const USERS_WITHOUT_ORGANISATION: readonly { readonly email: string; readonly role: Role }[] = [
  { email: 'superadmin@demo.test', role: 'superadmin' },
  { email: 'sandbox@demo.test', role: 'sandboxuser' },
  { email: 'aws@demo.test', role: 'awssandboxuser' },
]

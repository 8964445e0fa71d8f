import { paise } from '@trainyard/platform/contract/words/money.ts'
import type { LxdConfig } from '@trainyard/lxd/server/environment.ts'
import { IMAGE_ALIASES, type LxdSize, lxdSize, placeIn, wordsOf } from '@trainyard/lxd/server/settings.ts'
import type { Insertable } from 'kysely'
import type { Schema } from '@trainyard/platform/server/db/schema.ts'

type NewTemplate = Insertable<Schema['template']>

const place = { group: 'trainyard-labs', location: 'southindia', network: 'trainyard-labs-net' }

const linux = { provider: 'azure', place, os: 'Linux', licence: 'none', disk: 'Standard SSD' } as const
const windows = { ...linux, os: 'Windows', licence: 'Windows_Server' } as const
const UBUNTU = 'Canonical:ubuntu-24_04-lts:server:latest'
const WINDOWS_SERVER = 'MicrosoftWindowsServer:WindowsServer:2022-datacenter-g2:latest'

/** Rates are approximate prices in South India with a margin. */
const DEMO_TEMPLATES = [
  {
    ...linux,
    name: 'Ubuntu 24.04 Starter',
    rate_paise: paise(950),
    size: { name: 'Standard_DS1_v2' },
    image: { id: UBUNTU },
    cpu: '1 vCPU',
    memory: '3.5 GB',
    storage: '32 GB',
  },
  {
    ...linux,
    name: 'Ubuntu 24.04 Standard',
    rate_paise: paise(1_400),
    size: { name: 'Standard_D2s_v3' },
    image: { id: UBUNTU },
    cpu: '2 vCPU',
    memory: '8 GB',
    storage: '64 GB',
  },
  {
    ...linux,
    name: 'Ubuntu 24.04 Containers',
    rate_paise: paise(2_650),
    size: { name: 'Standard_D4s_v4' },
    image: { id: UBUNTU },
    cpu: '4 vCPU',
    memory: '16 GB',
    storage: '128 GB',
  },
  {
    ...windows,
    name: 'Windows Server 2022',
    rate_paise: paise(2_275),
    size: { name: 'Standard_D2s_v3' },
    image: { id: WINDOWS_SERVER },
    cpu: '2 vCPU',
    memory: '8 GB',
    storage: '128 GB',
  },
  {
    ...windows,
    name: 'Windows Server 2022 Large',
    rate_paise: paise(4_400),
    size: { name: 'Standard_D4s_v3' },
    image: { id: WINDOWS_SERVER },
    cpu: '4 vCPU',
    memory: '16 GB',
    storage: '128 GB',
  },
  {
    ...windows,
    name: 'Windows 11 Developer',
    rate_paise: paise(8_250),
    size: { name: 'Standard_D8s_v4' },
    licence: 'none',
    image: { id: 'MicrosoftWindowsDesktop:windows-11:win11-23h2-ent:latest' },
    cpu: '8 vCPU',
    memory: '32 GB',
    storage: '256 GB',
  },
] as const satisfies readonly NewTemplate[]
export type TemplateName = (typeof DEMO_TEMPLATES)[number]['name']

/** VM cards by the names that the demo's organisations use. With LXD, other cards replace those of Linux. */
export type Cards = ReadonlyMap<TemplateName, NewTemplate>

export function cardsWith(lxd: LxdConfig | null): Cards {
  const cards = new Map<TemplateName, NewTemplate>(DEMO_TEMPLATES.map((template) => [template.name, template]))
  if (lxd === null) return cards
  const [small, medium = small] = lxd.sizes
  const card = (name: string, rupees: number, size: LxdSize, alias: string): NewTemplate => ({
    ...linux,
    provider: 'lxd',
    place: placeIn(lxd),
    disk: 'SSD',
    name,
    rate_paise: paise(rupees * 100),
    size: lxdSize.parse(size),
    image: { id: alias },
    ...wordsOf(size),
  })
  return cards
    .set('Ubuntu 24.04 Starter', card('Debian 12 Starter', 4.5, small!, IMAGE_ALIASES.terminal))
    .set('Ubuntu 24.04 Standard', card('Debian 12 Standard', 9, medium!, IMAGE_ALIASES.terminal))
    .set('Ubuntu 24.04 Containers', card('Debian 12 Desktop', 12, medium!, IMAGE_ALIASES.desktop))
}

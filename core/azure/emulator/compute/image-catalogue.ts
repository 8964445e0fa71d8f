import type { AzureCloud } from '../cloud.ts'

export interface ImageName {
  readonly publisher: string
  readonly offer: string
  readonly sku: string
}

export interface CataloguedImage {
  readonly os: 'Windows' | 'Linux'
  readonly generation: 'V1' | 'V2'
  readonly versions: readonly string[]
}

/** `publisher:offer`, the versions of all its SKUs, and the SKUs of generation 1 and 2. */
const catalogue: readonly (readonly [offer: string, versions: string, first: string, second: string])[] = [
  ['Canonical:UbuntuServer', '18.04.202305220 18.04.202401161', '16.04.0-LTS 18.04-LTS', '18_04-lts-gen2'],
  ['Canonical:0001-com-ubuntu-server-focal', '20.04.202305150 20.04.202505200', '20_04-lts', '20_04-lts-gen2'],
  ['Canonical:0001-com-ubuntu-server-jammy', '22.04.202407250 22.04.202604250', '22_04-lts', '22_04-lts-gen2'],
  [
    'Canonical:ubuntu-24_04-lts',
    '24.04.202409120 24.04.202604160',
    'server-gen1 minimal-gen1 ubuntu-pro-gen1',
    'server minimal ubuntu-pro',
  ],
  ['Debian:debian-11', '0.20240717.1811 0.20260210.2384', '11', '11-gen2'],
  ['Debian:debian-12', '0.20240717.1811 0.20260210.2384', '12', '12-gen2'],
  ['RedHat:RHEL', '9.4.2024081413 9.4.2025060411', '8_10 9_4', '8-lvm-gen2 9-lvm-gen2 810-gen2 94_gen2'],
  ['SUSE:sles-15-sp5', '2024.06.14 2025.01.16', 'gen1', 'gen2'],
  [
    'MicrosoftWindowsServer:WindowsServer',
    '20348.2655.240905 20348.3807.250605',
    '2012-R2-Datacenter 2016-Datacenter 2019-Datacenter 2022-datacenter 2025-datacenter',
    '2016-datacenter-gensecond 2019-datacenter-gensecond 2022-datacenter-g2 2022-datacenter-azure-edition 2022-datacenter-azure-edition-core 2025-datacenter-g2 2025-datacenter-azure-edition',
  ],
  [
    'MicrosoftWindowsDesktop:windows-10',
    '19045.4780.240806 19045.6093.250705',
    '',
    'win10-22h2-pro-g2 win10-22h2-avd-g2',
  ],
  [
    'MicrosoftWindowsDesktop:windows-11',
    '22631.4037.240811 22631.5472.250605',
    '',
    'win11-23h2-ent win11-23h2-pro win11-24h2-ent win11-24h2-pro',
  ],
]

const byName = new Map(
  catalogue.flatMap(([offer, versions, firstGeneration, secondGeneration]) => {
    const image = (generation: 'V1' | 'V2'): CataloguedImage => ({
      os: /^microsoftwindows/i.test(offer) ? 'Windows' : 'Linux',
      generation,
      versions: versions.split(' '),
    })
    const imagesNamed = (skus: string, generation: 'V1' | 'V2') =>
      skus
        .split(' ')
        .filter((sku) => sku !== '')
        .map((sku) => [`${offer}:${sku}`.toLowerCase(), image(generation)] as const)
    return [...imagesNamed(firstGeneration, 'V1'), ...imagesNamed(secondGeneration, 'V2')]
  }),
)

const keyOf = ({ publisher, offer, sku }: ImageName): string => `${publisher}:${offer}:${sku}`.toLowerCase()
const settingOf = (image: ImageName, location: string): string => `image ${keyOf(image)} ${location}`

/** The image need not be in the catalogue. */
export function setPublished(
  cloud: AzureCloud,
  image: ImageName,
  location: string,
  published: boolean,
  version = 'yes',
): void {
  cloud.settings.write(settingOf(image, location), published ? version : 'no')
}

export function findPublishedImage(cloud: AzureCloud, image: ImageName, location: string): CataloguedImage | undefined {
  const set = cloud.settings.read(settingOf(image, location))
  if (set === 'no') return undefined
  const found = byName.get(keyOf(image))
  if (set === undefined) return found
  const unlisted = {
    os: /windows/i.test(keyOf(image)) ? 'Windows' : 'Linux',
    generation: 'V2',
    versions: ['1.0.0'],
  } as const
  if (set === 'yes') return found ?? unlisted
  const { versions, ...rest } = found ?? { ...unlisted, versions: [] }
  return { ...rest, versions: [...versions, set] }
}

import { parseArgs } from 'node:util'
import { paise, type Paise } from '@trainyard/platform/contract/words/money.ts'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import type { ImageName } from './cheapest-size.ts'

export interface LiveOptions {
  readonly costLimit: Paise
  readonly location: string
  readonly image: ImageName
  readonly agreed: boolean
  readonly only: readonly ScenarioName[] | null
}

const SCENARIO_NAMES = ['machine', 'sandbox', 'aws', 'payment'] as const
export type ScenarioName = (typeof SCENARIO_NAMES)[number]

/** @throws ConfigError */
export function readOptions(args: readonly string[]): LiveOptions {
  const { values } = parsed(args)
  if (!/^\d{1,6}$/.test(values.limit)) throw new ConfigError('--limit takes rupees, like --limit 200.')
  if (!/^[a-z0-9]{3,40}$/.test(values.location)) throw new ConfigError('--location takes a region, like southindia.')
  const [publisher, offer, sku, version, extra] = values.image.split(':')
  if (!publisher || !offer || !sku || !version || extra !== undefined) {
    throw new ConfigError('--image takes publisher:offer:sku:version of a Linux image.')
  }
  const only = values.only?.split(',').map((name) => {
    const known = SCENARIO_NAMES.find((each) => each === name)
    if (known === undefined) throw new ConfigError(`--only accepts ${SCENARIO_NAMES.join(', ')}, but not ${name}.`)
    return known
  })
  return {
    costLimit: paise(Number(values.limit) * 100),
    location: values.location,
    image: { publisher, offer, sku, version },
    agreed: values.yes,
    only: only ?? null,
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        limit: { type: 'string', default: '200' },
        location: { type: 'string', default: 'southindia' },
        image: { type: 'string', default: 'Canonical:ubuntu-24_04-lts:server:latest' },
        only: { type: 'string' },
        yes: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new ConfigError((error as Error).message, { cause: error })
  }
}

import fc from 'fast-check'

export const ACTIONS = ['vanish', 'shutdown', 'start', 'deallocate'] as const

export type Step =
  | ({ readonly kind: 'order'; readonly training: number; readonly learners: number } & {
      readonly guacamole: boolean
      readonly minutes: number | null
    })
  | { readonly kind: 'price'; readonly paise: number }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'work' }
  | { readonly kind: 'power'; readonly which: number; readonly operation: 0 | 1 }
  | { readonly kind: 'restart'; readonly which: number }
  | {
      readonly kind: 'external'
      readonly which: number
      readonly action: (typeof ACTIONS)[number]
      readonly noticedAfter: number
    }
  | { readonly kind: 'quota'; readonly training: number; readonly minutes: number }
  | { readonly kind: 'clearLogs' | 'remove' | 'compare'; readonly training: number }
  | { readonly kind: 'entry'; readonly type: 'invoice' | 'payment'; readonly paise: number }

const training = fc.nat({ max: 1 })
const which = fc.nat({ max: 19 })
const kind = <K extends Step['kind']>(name: K) => fc.constant(name)
export const histories: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: kind('order'),
        training,
        learners: fc.integer({ min: 1, max: 2 }),
        guacamole: fc.boolean(),
        minutes: fc.constantFrom(null, null, 1, 90, 6000),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: kind('price'), paise: fc.integer({ min: 0, max: 99_999 }) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: kind('wait'),
        seconds: fc.oneof(fc.integer({ min: 1, max: 7_201 }), fc.nat({ max: 200_000 })),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: kind('work') }) },
    {
      weight: 6,
      arbitrary: fc.record({ kind: kind('power'), which, operation: fc.constantFrom(0 as const, 1 as const) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: kind('restart'), which }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: kind('external'),
        which,
        action: fc.constantFrom(...ACTIONS),
        noticedAfter: fc.nat({ max: 59 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: kind('quota'), training, minutes: fc.integer({ min: 1, max: 200 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('clearLogs'), training }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('remove'), training }) },
    { weight: 2, arbitrary: fc.record({ kind: kind('compare'), training }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: kind('entry'),
        type: fc.constantFrom('invoice' as const, 'payment' as const),
        paise: fc.integer({ min: 1, max: 1_000_000_000 }),
      }),
    },
  ),
  { minLength: 8, maxLength: 24 },
)

import { testTypedAmounts } from '@trainyard/platform/web/forms/test-typed-amounts.ts'
import { increaseOf } from '@trainyard/machines/web/increase.ts'
import { FIRST_CHOICES, NO_TEXTS, templateOf } from '@trainyard/templates/web/template-form.ts'
import { formValuesOf, profileChanges, type Settings } from '@trainyard/organisations/web/profile-form.ts'
import { allottedOf } from '@trainyard/trainings/web/allotted.ts'

const template = Object.fromEntries(Object.keys(NO_TEXTS).map((field) => [field, 'text'])) as typeof NO_TEXTS
const profile = { timeZone: 'Asia/Kolkata', creditLimit: 0, azureTags: {}, helpEmail: null, pseudonymsAllowed: false }

/** The reader of each field: returns the problem, the read amount, or null for a refused amount without a sentence. */
const FIELDS: Readonly<Record<string, (text: string) => unknown>> = {
  'rate of a card': (rate) => {
    const { template: read, problems } = templateOf({ ...template, rate, tags: '' }, FIRST_CHOICES)
    return problems?.rate ?? read?.rate
  },
  'credit limit': (creditLimit) => {
    const settings = profile as unknown as Settings
    const { changes, problems } = profileChanges(settings, { ...formValuesOf(settings), creditLimit })
    return problems?.creditLimit ?? changes?.creditLimit
  },
  'allotted hours': (hours) => Object.values(allottedOf(hours))[0],
  'increase of the quota': (hours) => increaseOf(hours)?.hours ?? null,
}

testTypedAmounts(FIELDS)

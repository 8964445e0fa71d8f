import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { template } from '../contract/template.ts'
import { paiseOfRupees, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { TemplateRow } from '../tables.gen.ts'

type Form = BodyOf<typeof template.create>
type SavedForm = ReplyOf<typeof template.read>

type Values = Pick<TemplateRow, 'place' | 'size' | 'image'>
type CommonColumns = Pick<
  TemplateRow,
  'name' | 'rate_paise' | 'os' | 'licence' | 'cpu' | 'memory' | 'storage' | 'disk' | 'azure_tags'
>
type CommonFields = Pick<
  SavedForm,
  | ('name' | 'rate' | 'os' | 'licence' | 'addressKind' | 'privateNetwork')
  | ('cpu' | 'memory' | 'storage' | 'disk' | 'tags' | 'revision')
>

/** Translates the form of a template to and from the values of the provider whose form it is. */
export interface TemplateForm {
  readonly provider: string
  valuesOf(form: Form): Values
  fieldsOf(values: Values): Omit<SavedForm, keyof CommonFields>
}

/** Returns the columns that the form sets. `placeTemplate` sets those of the address. */
export const columnsOf = (
  form: Form,
  { provider, valuesOf }: TemplateForm,
): CommonColumns & Values & Pick<TemplateRow, 'provider'> => ({
  name: form.name,
  rate_paise: paiseOfRupees(form.rate)!,
  provider,
  ...valuesOf(form),
  os: form.os,
  licence: form.licence,
  cpu: form.cpu,
  memory: form.memory,
  storage: form.storage,
  disk: form.disk,
  azure_tags: form.tags ?? {},
})

/**
 * @param network name of the template's private network
 * @throws Problem conflict if the template has another form
 */
export function formOf(row: TemplateRow, network: string | null, { provider, fieldsOf }: TemplateForm): SavedForm {
  if (row.provider !== provider) throw conflict(`${row.name} is a template of ${row.provider}.`)
  return {
    name: row.name,
    rate: rupeesOfPaise(row.rate_paise),
    os: row.os,
    licence: row.licence,
    addressKind: row.address_kind,
    ...(network !== null && { privateNetwork: network }),
    ...fieldsOf(row),
    cpu: row.cpu,
    memory: row.memory,
    storage: row.storage,
    disk: row.disk,
    tags: row.azure_tags,
    revision: row.revision,
  }
}

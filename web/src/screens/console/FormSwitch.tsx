import { ShowAs } from '#src/ui/ShowAs.tsx'
import type { Form } from './form.ts'

const FORMS: readonly { form: Form; label: string }[] = [
  { form: 'cards', label: 'Cards' },
  { form: 'table', label: 'Table' },
]

/** Cards or a table: a choice that is remembered. */
export const FormSwitch = ({ form, choose }: { form: Form; choose: (form: Form) => void }) => (
  <ShowAs forms={FORMS} shown={form} choose={choose} />
)

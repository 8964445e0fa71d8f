import { ViewSwitch } from '#src/ui/ShowAs.tsx'
import type { ViewMode } from './form.ts'

const FORMS: readonly { form: ViewMode; label: string }[] = [
  { form: 'cards', label: 'Cards' },
  { form: 'table', label: 'Table' },
]

export const ViewModeSwitch = ({ form, choose }: { form: ViewMode; choose: (form: ViewMode) => void }) => (
  <ViewSwitch forms={FORMS} shown={form} choose={choose} />
)

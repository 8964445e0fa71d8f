import type { Form } from './form.ts'
import styles from './FormSwitch.module.css'

const FORMS: readonly { form: Form; label: string }[] = [
  { form: 'cards', label: 'Cards' },
  { form: 'table', label: 'Table' },
]

/** Cards or a table: a choice that is remembered. */
export const FormSwitch = ({ form, choose }: { form: Form; choose: (form: Form) => void }) => (
  <fieldset className={styles.switch} aria-label="Show as">
    {FORMS.map((each) => (
      <button key={each.form} type="button" aria-pressed={each.form === form} onClick={() => choose(each.form)}>
        {each.label}
      </button>
    ))}
  </fieldset>
)

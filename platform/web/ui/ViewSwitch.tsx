import styles from './ViewSwitch.module.css'

interface ViewSwitchProps<Form extends string> {
  label?: string
  forms: readonly { form: Form; label: string }[]
  shown: Form
  choose: (form: Form) => void
}

export const ViewSwitch = <Form extends string>({ label = 'Show as', forms, shown, choose }: ViewSwitchProps<Form>) => (
  <fieldset className={styles.switch} aria-label={label}>
    {forms.map(({ form, label }) => (
      <button key={form} type="button" aria-pressed={form === shown} onClick={() => choose(form)}>
        {label}
      </button>
    ))}
  </fieldset>
)

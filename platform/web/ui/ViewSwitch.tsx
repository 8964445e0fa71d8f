import styles from './ViewSwitch.module.css'

interface ViewSwitchProps<Form extends string> {
  forms: readonly { form: Form; label: string }[]
  shown: Form
  choose: (form: Form) => void
}

export const ViewSwitch = <Form extends string>({ forms, shown, choose }: ViewSwitchProps<Form>) => (
  <fieldset className={styles.switch} aria-label="Show as">
    {forms.map(({ form, label }) => (
      <button key={form} type="button" aria-pressed={form === shown} onClick={() => choose(form)}>
        {label}
      </button>
    ))}
  </fieldset>
)

import styles from './ShowAs.module.css'

interface ShowAsProps<Form extends string> {
  forms: readonly { form: Form; label: string }[]
  shown: Form
  choose: (form: Form) => void
}

/** The forms that a list can have, beside each other; the pressed one is shown. */
export const ShowAs = <Form extends string>({ forms, shown, choose }: ShowAsProps<Form>) => (
  <fieldset className={styles.switch} aria-label="Show as">
    {forms.map(({ form, label }) => (
      <button key={form} type="button" aria-pressed={form === shown} onClick={() => choose(form)}>
        {label}
      </button>
    ))}
  </fieldset>
)

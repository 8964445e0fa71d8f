import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import type { Settings } from './profile-form.ts'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { chosenOf, securityChanges, type ChosenSecurity } from './security-form.ts'
import { SettingsForm } from '@trainyard/platform/web/forms/SettingsForm.tsx'
import { controlledCheck, controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

const RULES = [
  { value: '', label: 'Installation default' },
  { value: 'optional', label: 'Optional' },
  { value: 'required', label: 'Required' },
]

const loadShape = () =>
  import('../contract/organisation.ts').then(({ organisation }) => organisation.changeSecurity.body)

export default function Security({ settings }: { settings: Settings }) {
  const [chosen, setChosen] = useState<Partial<ChosenSecurity>>({})
  const shown = { ...chosenOf(settings), ...chosen }
  const changes = securityChanges(settings, shown)
  const choose = (choice: Partial<ChosenSecurity>) => setChosen((now) => ({ ...now, ...choice }))
  return (
    <Section title="Security">
      <SettingsForm
        submit="Save Security"
        changes={changes}
        shape={loadShape}
        send={(named) => api.organisation.changeSecurity({ organization: settings.name, ...named })}
        saved={() => setChosen({})}
      >
        {(problemOf) => (
          <>
            <NativeSelect
              label="Second Factor"
              description="For admins, who then have 7 days to set one up. Optional for learners."
              data={RULES}
              {...controlledText(shown.secondFactor, (secondFactor) => choose({ secondFactor }))}
            />
            <TextInput
              label="Idle Limit (minutes)"
              description="A session ends after this time without use. Leave empty for the installation default."
              inputMode="numeric"
              autoComplete="off"
              error={problemOf('idleMinutes')}
              {...controlledText(shown.idleMinutes, (idleMinutes) => choose({ idleMinutes }))}
            />
            <Checkbox
              label="Assigned passwords must be changed"
              description="Users whose password was set by someone else choose a new one at the first sign-in."
              {...controlledCheck(shown.passwordChangeRequired, (passwordChangeRequired) =>
                choose({ passwordChangeRequired }),
              )}
            />
            <Checkbox
              label="Sign-in with a password"
              description="If it is off, users can sign in only with the organisation’s own provider."
              {...controlledCheck(shown.passwordsAllowed, (passwordsAllowed) => choose({ passwordsAllowed }))}
            />
          </>
        )}
      </SettingsForm>
    </Section>
  )
}

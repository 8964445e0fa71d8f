import { Checkbox, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useId, useState } from 'react'
import { timeZones } from '@trainyard/platform/contract/words/time-zone.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { type ProfileForm, profileChanges, formValuesOf, type Settings, type EnteredProfile } from './profile-form.ts'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { SettingsForm } from '@trainyard/platform/web/forms/SettingsForm.tsx'
import { controlledCheck, controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

const loadShape = () =>
  import('../contract/organisation.ts').then(({ organisation }) => organisation.changeProfile.body)

export default function Profile({ settings }: { settings: Settings }) {
  const { role } = useMe()
  const zones = useId()
  const [entered, setEntered] = useState<Partial<ProfileForm>>({})
  const shown = { ...formValuesOf(settings), ...entered }
  const field = (name: keyof EnteredProfile, problem: string | null) => ({
    autoComplete: 'off',
    error: problem,
    ...controlledText(shown[name], (text) => setEntered((now) => ({ ...now, [name]: text }))),
  })
  return (
    <Section title="Profile">
      <SettingsForm
        submit="Save Profile"
        changes={profileChanges(settings, shown)}
        shape={loadShape}
        entered={shown}
        send={(named) => api.organisation.changeProfile({ organization: settings.name, ...named })}
        saved={() => setEntered({})}
      >
        {(problemOf) => (
          <>
            <TextInput
              label="Time Zone"
              description="Dates and times are shown in this zone, and access windows follow it immediately. Existing schedules still run at the same moment."
              list={zones}
              {...field('timeZone', problemOf('timeZone'))}
            />
            <datalist id={zones}>
              {timeZones().map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </datalist>
            <TextInput
              type="email"
              label="Help Address"
              description="Invitations name this address for questions. If it is empty, they name an instructor or the admin who ordered."
              {...field('helpEmail', problemOf('helpEmail'))}
            />
            <Checkbox
              label="Allow pseudonyms"
              description="Learners who register by a link may give a pseudonym instead of their name."
              {...controlledCheck(shown.pseudonymsAllowed, (pseudonymsAllowed) =>
                setEntered((now) => ({ ...now, pseudonymsAllowed })),
              )}
            />
            {role === 'superadmin' && (
              <>
                <TextInput
                  label="Credit Limit (rupees)"
                  description="Optional. Orders that exceed it need a confirmation."
                  inputMode="decimal"
                  {...field('creditLimit', problemOf('creditLimit'))}
                />
                <Textarea
                  label="Azure Tags"
                  description="One name=value per line, on every resource that is created for the organisation. Optional."
                  autosize
                  minRows={2}
                  {...field('azureTags', problemOf('azureTags'))}
                />
              </>
            )}
          </>
        )}
      </SettingsForm>
    </Section>
  )
}

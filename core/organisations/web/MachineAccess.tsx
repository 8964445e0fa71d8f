import { api } from '@trainyard/platform/web/api/client.ts'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { TextSettings, type TextField } from '@trainyard/platform/web/forms/TextSettings.tsx'
import type { Settings } from './profile-form.ts'

const FIELDS: Readonly<Record<'managementSources', TextField>> = {
  managementSources: {
    label: 'Addresses That May Connect',
    description:
      'Address ranges from which SSH and remote desktop of the machines can be reached, separated by commas. The portal itself always can. Leave empty for the installation default.',
    read(entered) {
      const ranges = entered.split(/[\s,]+/).filter((range) => range !== '')
      return ranges.length === 0 ? null : ranges
    },
  },
}

const loadShape = () =>
  import('../contract/organisation.ts').then(({ organisation }) => organisation.changeSources.body)

const MachineAccess = ({ settings }: { settings: Settings }) => (
  <Section title="Access to Machines">
    <TextSettings
      submit="Save Access"
      fields={FIELDS}
      saved={{ managementSources: settings.managementSources?.join(', ') ?? '' }}
      shape={loadShape}
      send={(changes) =>
        api.organisation.changeSources({
          organization: settings.name,
          managementSources: changes['managementSources'] as string[] | null,
        })
      }
      invalidates={['organisation']}
    />
  </Section>
)
export default MachineAccess

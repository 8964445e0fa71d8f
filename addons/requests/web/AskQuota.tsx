import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeRequest } from '../contract/change-request.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { AskForm } from './AskForm.tsx'

export default function AskQuota({ close }: { close: () => void }) {
  const { organization, training } = useSelection()
  const names = useQuery(query(api.training.names, organization === null ? null : { organization }))
  const trainings = names.data?.trainingNames ?? []
  const [chosen, setChosen] = useState(training ?? '')
  const trainingName = chosen || trainings[0] || ''
  return (
    <AskForm
      title="Request Quota"
      shape={changeRequest.askQuota.body}
      asks="hours"
      bodyOf={({ minutes, reason }) => ({ trainingName, minutes, reason })}
      send={api.changeRequest.askQuota}
      close={close}
    >
      <NativeSelect
        label="Training"
        description="The hours are distributed evenly over its machines that have a limit."
        data={trainings}
        {...controlledText(trainingName, setChosen)}
      />
    </AskForm>
  )
}

import IconPencil from '@tabler/icons-react/icons/IconPencil'
import { Button } from '@mantine/core'
import { lazy, useState } from 'react'
import type { LmsPlatform } from '../contract/lms.ts'
import type { LmsState } from '../contract/lms-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Lamp, type Signal } from '@trainyard/platform/web/ui/Lamp.tsx'
import { Activities } from './Activities.tsx'
import { Courses } from './Courses.tsx'
import styles from './Lms.module.css'
import { Registration, type RegistrationLink } from './Registration.tsx'
import { TestConnection } from './TestConnection.tsx'

const EditLms = lazy(() => import('./EditLms.tsx'))

const STATES: Readonly<Record<LmsState, readonly [Signal, string]>> = {
  waiting: ['still', 'Not set up'],
  ready: ['clear', 'Connected'],
  suspended: ['danger', 'Suspended'],
}

interface PlatformSectionProps {
  platform: LmsPlatform
  link: RegistrationLink | null
  renewed: (link: RegistrationLink) => void
  trainings: readonly string[]
}

export function PlatformSection({ platform, link, renewed, trainings }: PlatformSectionProps) {
  const { id, name, state, settings, workedAt, deployments, courses } = platform
  const [isRemoving, setRemoving] = useState(false)
  const suspension = useAction((suspended: boolean) => api.lms.suspend({ id, suspended }), { invalidates: ['lms'] })
  const [signal, text] = STATES[state]
  return (
    <Section title={name}>
      <dl className={styles.facts}>
        <Fact term="State">
          <Lamp signal={signal}>{text}</Lamp>
        </Fact>
        {settings !== null && <Fact term="Issuer">{settings.issuer}</Fact>}
        {settings !== null && <Fact term="Client ID">{settings.clientId}</Fact>}
        <Fact term="Last launch">{workedAt === null ? 'None yet' : <Instant at={workedAt} />}</Fact>
      </dl>
      {state === 'waiting' && <Registration platform={platform} link={link} renewed={renewed} />}
      <Deployments id={id} deployments={deployments} />
      {settings !== null && <Courses courses={courses} trainings={trainings} />}
      <Activities courses={courses} />
      {state === 'ready' && <TestConnection id={id} />}
      <div className="row">
        <DialogButton
          icon={IconPencil}
          variant="default"
          dialog={(close) => <EditLms platform={platform} close={close} />}
        >
          Settings<span className="visually-hidden"> of {name}</span>
        </DialogButton>
        {state !== 'waiting' && (
          <Button
            variant="default"
            disabled={suspension.isPending}
            onClick={() => suspension.mutate(state !== 'suspended')}
          >
            {state === 'suspended' ? 'End Suspension' : 'Suspend'}
            <span className="visually-hidden"> of {name}</span>
          </Button>
        )}
        <Button variant="default" onClick={() => setRemoving(true)}>
          Delete<span className="visually-hidden"> {name}</span>
        </Button>
      </div>
      {isRemoving && (
        <DeleteDialog
          name={name}
          remove={() => api.lms.remove({ id })}
          invalidates={['lms']}
          close={() => setRemoving(false)}
        >
          <p>
            Activities in <strong>{name}</strong> no longer open. Accounts, trainings and machines stay.
          </p>
        </DeleteDialog>
      )}
    </Section>
  )
}

function Deployments({ id, deployments }: Pick<LmsPlatform, 'id' | 'deployments'>) {
  const decision = useAction(
    ({ deployment, accepted }: { deployment: string; accepted: boolean }) =>
      api.lms.decideDeployment({ id, deployment, accepted }),
    { invalidates: ['lms'] },
  )
  const waiting = deployments.filter(({ isAccepted }) => !isAccepted)
  if (waiting.length === 0) return null
  return (
    <>
      <output>The LMS used deployments that are not accepted. Accept those that you know.</output>
      <ul className="stack">
        {waiting.map(({ id: deployment }) => (
          <li key={deployment} className="row">
            <code>{deployment}</code>
            <Button
              size="xs"
              disabled={decision.isPending}
              onClick={() => decision.mutate({ deployment, accepted: true })}
            >
              Accept<span className="visually-hidden"> deployment {deployment}</span>
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={decision.isPending}
              onClick={() => decision.mutate({ deployment, accepted: false })}
            >
              Remove<span className="visually-hidden"> deployment {deployment}</span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

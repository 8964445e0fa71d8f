import { useQuery } from '@tanstack/react-query'
import type { ProofOnTemplate } from '../contract/guide.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { Lamp } from '@trainyard/platform/web/ui/Lamp.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { momentOf, SIGNALS } from './proof-text.ts'

const REFRESH_MS = 60_000

/** Shows if the guides of a class are proven on the image of its machines, with a way to the proofs. */
export default function ReadyGuides({ training }: { training: TrainingQuery }) {
  const { role, timeZone } = useMe()
  const { data } = useQuery({ ...query(api.guide.attached, training), refetchInterval: REFRESH_MS })
  const proofs = data?.proofs ?? []
  const { organization, trainingName } = training
  return proofs.map((proof) => (
    <p key={`${proof.guide} ${proof.number} ${proof.templateName}`} className="row">
      <Lamp signal={proof.state === null ? 'gone' : SIGNALS[proof.state]}>
        {textOf(proof, proofs.length === 1, timeZone)}
      </Lamp>
      {role === 'user' ? (
        <ScreenLink to="/vm/guide" search={{ organization, training: trainingName }}>
          {proof.title}
        </ScreenLink>
      ) : (
        <ScreenLink to="/admin/guides" search={{ organization }}>
          {proof.title}
        </ScreenLink>
      )}
    </p>
  ))
}

function textOf({ state, at, faults, templateName }: ProofOnTemplate, isOnly: boolean, timeZone: string): string {
  const where = isOnly ? 'on this image' : `on the image of ${templateName}`
  switch (state) {
    case 'proven':
      return `Guide proven ${momentOf(at!, timeZone)} ${where}`
    case 'running':
      return `Guide is being proven ${where}`
    case 'faulty':
      return `Guide has ${countOf(faults, 'fault')} ${where}`
    default:
      return `Guide not proven ${where}`
  }
}

import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { CopyButton } from '@trainyard/platform/web/ui/CopyButton.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { Domains } from './Domains.tsx'
import { ProviderForm } from './ProviderForm.tsx'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { TestSignIn } from './TestSignIn.tsx'

interface SignInProps {
  organization: string
  whose: { organization?: string }
}

const queriesOf = ({ whose }: Pick<SignInProps, 'whose'>) => [query(api.identityProvider.show, whose)] as const

export default function SignIn(props: SignInProps) {
  const { organization } = props
  const signIn = useQuery(queriesOf(props)[0])
  return (
    <Section
      title="Sign-in With Your Provider"
      text="Users with an e-mail of a verified domain sign in through your own OpenID Connect provider: Entra ID, Google Workspace or any other."
    >
      <Fetched query={signIn} loading={<Skeleton rows={2} height="8rem" />}>
        {({ redirectUri, provider, domains }) => (
          <>
            <div className="row">
              <span>
                Redirect address to register at the provider: <code>{redirectUri}</code>
              </span>
              <CopyButton text={redirectUri} label="Copy the redirect address" />
            </div>
            <ProviderForm organization={organization} provider={provider} />
            <Domains organization={organization} domains={domains} />
            {provider !== null && <TestSignIn organization={organization} workedAt={provider.workedAt} />}
          </>
        )}
      </Fetched>
    </Section>
  )
}
SignIn.queriesOf = queriesOf

import { DEFAULT_TIME_ZONE } from '@trainyard/contract/words/limits.ts'
import type { Letter } from '../../../providers/mail.ts'

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: DEFAULT_TIME_ZONE })

/** The letter to a new lab user's personal address. It holds no password: the link leads to where both are found. */
export function awsLabLetter(lab: {
  readonly invitation: string
  readonly email: string
  readonly personalEmail: string
  readonly endsAt: Date
  readonly link: string
}): Letter {
  const { email, link } = lab
  const sentences = [
    `An AWS lab is ready for you, until ${day.format(lab.endsAt)}. You sign in to the lab portal as ${email}.`,
    'Choose a password for the portal first. There, AWS Sandbox shows where the AWS console is, and how to sign in to it.',
    'The link works once. If you did not expect this letter, you can leave it be.',
  ] as const
  return {
    key: `lab-${lab.invitation}`,
    to: lab.personalEmail,
    subject: 'Your AWS lab',
    text: ['Hello,', sentences[0], sentences[1], link, sentences[2], 'Trainyard'].join('\n\n') + '\n',
    html: `<!doctype html>
<html lang="en">
<body style="margin:0;background:#f3f5f8;font:16px/1.5 system-ui,sans-serif;color:#16202c">
<div style="max-width:32rem;margin:0 auto;padding:2rem 1.5rem">
<div style="background:#fff;border-radius:8px;padding:2rem">
<p style="margin-top:0">Hello,</p>
<p>${sentences[0]}</p>
<p>${sentences[1]}</p>
<p style="margin:2rem 0"><a href="${link}" style="background:#123f7a;color:#fff;padding:.75rem 1.5rem;border-radius:4px;text-decoration:none">Choose a password</a></p>
<p style="font-size:.875rem;color:#4a5568">Or open this address:<br><a href="${link}" style="color:#123f7a;word-break:break-all">${link}</a></p>
<p style="font-size:.875rem;color:#4a5568;margin-bottom:0">${sentences[2]}</p>
</div>
</div>
</body>
</html>
`,
  }
}

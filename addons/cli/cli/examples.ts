import type { Command } from 'commander'

/** Examples in the help of each command, by its full name, such as `machines start`. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  login: ['login --url https://portal.example.com', 'login --url https://portal.example.com < key.txt'],
  logout: ['logout'],
  whoami: ['whoami', 'whoami --json'],
  trainings: ['trainings list'],
  'trainings list': ['trainings list'],
  templates: ['templates list'],
  'templates list': ['templates list', 'templates list --json'],
  machines: ['machines list "Python for beginners"', 'machines start lab-1 lab-2 --wait'],
  'machines list': ['machines list "Python for beginners"'],
  'machines start': ['machines start lab-1 lab-2 --wait', 'machines start --training "Python for beginners" --all'],
  'machines stop': ['machines stop lab-1', 'machines stop --training "Python for beginners" --all --wait'],
  'machines restart': ['machines restart lab-1 --wait'],
  'machines reset': ['machines reset lab-1', 'machines reset lab-1 --yes --wait'],
  'machines ssh': ['machines ssh lab-1'],
  ssh: ['ssh lab-1', 'ssh lab-1 -- uptime'],
  proxy: ['proxy lab-1', 'scp -o "ProxyCommand=trainyard proxy %n" notes.txt learner@lab-1:'],
  order: [
    'order "Python for beginners" --template "Ubuntu 24.04 Standard" --learners asha@example.com,ravi@example.com',
    'order "Python for beginners" --template "Ubuntu 24.04 Standard" --learners asha@example.com --hours 40 --wait',
  ],
  apply: ['apply -f training.yaml --dry-run', 'apply -f training.yaml --wait'],
  class: ['class "Python for beginners"', 'class announce "Python for beginners" "We continue at 11:00"'],
  'class show': ['class "Python for beginners"'],
  'class announce': ['class announce "Python for beginners" "We continue at 11:00"'],
  'class extend': ['class extend "Python for beginners"'],
  'class start': ['class start "Python for beginners"'],
  'class stop': ['class stop "Python for beginners"', 'class stop "Python for beginners" --idle 30'],
  usage: ['usage "Python for beginners"', 'usage "Python for beginners" --machines --json'],
  invoices: ['invoices', 'invoices download INV/26-27/00001'],
  'invoices list': ['invoices'],
  'invoices download': ['invoices download INV/26-27/00001'],
  guides: ['guides lint git-basics', 'guides prove git-basics --template "Debian 12"', 'guides publish git-basics'],
  'guides lint': ['guides lint git-basics', 'guides lint git-basics.zip --json'],
  'guides prove': ['guides prove git-basics --template "Debian 12"'],
  'guides publish': [
    'guides publish git-basics',
    'guides publish https://git.example.com/labs.git --folder git-basics --reason "Tried by hand"',
  ],
  completion: ['completion bash', 'completion fish > ~/.config/fish/completions/trainyard.fish'],
}

/** Adds examples to the help of a command's subcommands. */
export function addExamples(parent: Command, words: readonly string[] = []): void {
  for (const command of parent.commands) {
    const path = [...words, command.name()]
    addExamples(command, path)
    const examples = EXAMPLES[path.join(' ')]
    if (examples === undefined) continue
    const lines = examples.map((each) => `  $ ${each.startsWith('scp') ? '' : 'trainyard '}${each}`)
    command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
  }
}

import { writeFileSync } from 'node:fs'
import { givenNameFirst } from '@trainyard/platform/contract/words/person-name.ts'
import { dataOf } from '../api/client.ts'
import { EXIT, Failure } from '../failure.ts'
import { type Register, rupees, type CommandContext } from '../command-context.ts'

const DAYS = ['7', '30', '90'] as const

export const registerMoney: Register = (program, inContext) => {
  program
    .command('usage')
    .description('Show the hours and the cost of a training, per day or per machine')
    .argument('<training>', 'name of the training')
    .option('--days <days>', `days to show: ${DAYS.join(', ')}`, '30')
    .option('--machines', 'per machine, since the first order')
    .action(
      inContext((context, training: string, { days, machines }: { days: string; machines?: true }) =>
        machines === true ? showBill(context, training) : showDays(context, training, days),
      ),
    )
  const invoices = program.command('invoices').description('List and download invoices')
  invoices
    .command('list', { isDefault: true })
    .description('List the issued documents, newest first')
    .option('--all', 'all documents instead of the newest 500')
    .action(inContext((context, { all }: { all?: true }) => listInvoices(context, all === true)))
  invoices
    .command('download')
    .description('Download a document as PDF, or as JSON in the format INV-01')
    .argument('<number>', 'number of the document')
    .option('-o, --output <file>', 'name of the file; - writes to standard output')
    .option('--inv-01', 'the e-invoice format INV-01 instead of PDF')
    .action(inContext(download))
}

async function showDays(context: CommandContext, training: string, text: string): Promise<void> {
  const days = DAYS.find((each) => each === text)
  if (days === undefined) throw new Failure(EXIT.usage, `--days must be ${DAYS.join(', ')}.`)
  const query = { ...context.training(training), days }
  const usage = await dataOf(context.client.GET('/api/azure/usage', { params: { query } }))
  const used = usage.days.filter(({ hours, amountPaise }) => hours > 0 || amountPaise > 0)
  context.out.table(
    usage,
    used,
    [
      { title: 'Day', value: ({ date }) => date },
      { title: 'Hours', alignRight: true, value: ({ hours }) => hours.toFixed(2) },
      { title: 'Cost', alignRight: true, value: ({ amountPaise }) => rupees(amountPaise / 100) },
    ],
    `${training} was not used in the last ${days} days.`,
  )
}

async function showBill(context: CommandContext, training: string): Promise<void> {
  const query = { ...context.training(training), lines: 'yes' as const }
  const bill = await dataOf(context.client.GET('/api/azure/billing', { params: { query } }))
  context.out.table(
    bill,
    bill.lines ?? [],
    [
      { title: 'Machine', value: ({ machine }) => machine },
      {
        title: 'Learner',
        value: ({ learnerName, email }) => (learnerName === null ? email : givenNameFirst(learnerName)),
      },
      { title: 'Hours', alignRight: true, value: ({ seconds }) => (seconds / 3_600).toFixed(2) },
      { title: '₹ per hour', alignRight: true, value: ({ paisePerHour }) => (paisePerHour / 100).toFixed(2) },
      { title: 'Cost', alignRight: true, value: ({ amountPaise }) => rupees(amountPaise / 100) },
    ],
    `${training} has no machines.`,
  )
  if (!context.out.json) context.out.note(`${bill.Duration.toFixed(2)} hours, ${rupees(bill.Amount)}`)
}

async function listInvoices(context: CommandContext, all: boolean): Promise<void> {
  const documents = []
  let before: string | undefined
  for (;;) {
    const query = { ...context.organizationOption(), ...(before !== undefined && { before }) }
    const page = await dataOf(context.client.GET('/api/admin/invoices', { params: { query } }))
    documents.push(...page.documents)
    if (page.earlier === null) break
    if (!all) {
      context.out.note('There are older documents. Add --all to list them.')
      break
    }
    before = page.earlier
  }
  context.out.table(
    documents,
    documents,
    [
      { title: 'Number', value: ({ number }) => number },
      { title: 'Kind', value: ({ kind }) => kind },
      { title: 'Date', value: ({ date }) => date },
      { title: 'Month', value: ({ month }) => month ?? '' },
      { title: 'Total', alignRight: true, value: ({ totalPaise }) => rupees(totalPaise / 100) },
      { title: 'Credited', alignRight: true, value: ({ creditedPaise }) => rupees(creditedPaise / 100) },
    ],
    'There are no invoices yet. The invoice of a month is issued after its end.',
  )
}

interface DownloadOptions {
  readonly output?: string
  readonly inv01?: true
}

async function download(context: CommandContext, number: string, { output, inv01 }: DownloadOptions): Promise<void> {
  const path = inv01 === true ? '/api/admin/invoice/json' : '/api/admin/invoice/pdf'
  const content = await dataOf(
    context.client.POST(path, { body: { number }, parseAs: 'arrayBuffer' }) as Promise<{
      data?: ArrayBuffer
      error?: unknown
      response: Response
    }>,
  )
  const bytes = Buffer.from(content)
  if (output === '-') {
    context.io.stdout.write(bytes as never)
    return
  }
  const file = output ?? `${number.replaceAll(/[^\w.-]/g, '-')}.${inv01 === true ? 'json' : 'pdf'}`
  try {
    writeFileSync(file, bytes, { flag: output === undefined ? 'wx' : 'w' })
  } catch (error) {
    throw new Failure(EXIT.failed, `${file} cannot be written: ${(error as Error).message}.`, {
      hint: 'Name another file with --output.',
    })
  }
  context.out.note(`Saved ${file}.`)
  context.out.result({ file }, '')
}

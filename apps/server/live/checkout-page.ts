import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Checkout } from '@trainyard/payments/server/payments-provider.ts'

export async function openCheckout(
  { scriptUrl, keyId }: Checkout,
  { orderId, amount }: { readonly orderId: string; readonly amount: number },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const order = JSON.stringify({ key: keyId, order_id: orderId, amount, currency: 'INR', name: 'Trainyard live' })
  const html = `<!doctype html>
<html lang="en"><title>Trainyard live</title>
<script src="${scriptUrl.replaceAll('"', '&quot;')}"></script>
<h1>One rupee, in test mode</h1>
<p><button type="button">Pay</button></p>
<p role="status"></p>
<script>
const paid = () => { document.querySelector('[role=status]').textContent = 'Paid. Go back to the terminal.' }
document.querySelector('button').onclick = () => new Razorpay({ ...${order.replaceAll('<', '\\u003c')}, handler: paid }).open()
</script>
</html>`
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

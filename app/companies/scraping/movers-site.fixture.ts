/** A local site with a page of market movers, shaped like the public one. For tests. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export const MOVERS_PATH = '/markets/stocks-usa/market-movers-gainers/'

interface Mover {
  symbol: string
  name: string
  sector?: string
  website?: string
  description?: string
}

export const ANVILS: Mover = {
  symbol: 'ANVL',
  name: 'Anvil Works, Inc.',
  sector: 'Producer Manufacturing',
  website: 'https://anvilworks.example/',
  description: 'Anvil Works, Inc. makes anvils for coyotes. It was founded in 1949 in Tucson, AZ.',
}
export const KETTLES: Mover = {
  symbol: 'KTTL',
  name: 'Kettle & Söhne AG',
  sector: 'Consumer Durables',
  website: 'http://www.kettlesohne.example',
  description: 'Kettle & Söhne AG engages in “warm” drinks. The company is quiet.',
}
export const LANTERNS: Mover = {
  symbol: 'LTRN',
  name: 'Lantern Health Corp.',
  sector: 'Health Technology',
  website: 'https://lantern-health.example/about',
  description: 'Lantern Health Corp. lights the way. More.',
}
const MOVERS = [ANVILS, KETTLES, LANTERNS]

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export const symbolPath = ({ symbol }: Mover) => `/symbols/NASDAQ-${symbol}/`

/** A row in the public page's markup. */
export const row = (mover: Mover, link = symbolPath(mover)) =>
  `<tr class="row-RdUXZpkv listRow" data-rowkey="NASDAQ:${mover.symbol}"><td class="cell-RLhfr_y4">
    <span class="tickerCell-GrtoTeat"><img class="tv-circle-logo" src="/logos/${mover.symbol}.svg" alt=""/>
    <a href="${link}" class="tickerNameBox-GrtoTeat" title="${mover.symbol} − ${escaped(mover.name)}">${mover.symbol}</a>
    <sup class="tickerDescription-GrtoTeat" title="${escaped(mover.name)}">${escaped(mover.name)}</sup></span></td>
    <td>+41.20%</td><td>12.31 USD</td><td><a href="/markets/stocks-usa/sectors/">${mover.sector}</a></td></tr>`

export const moversPage = (rows: string[]) => `<!doctype html><html><head><meta charset="utf-8">
  <title>Top gainers</title></head><body><nav><a href="/symbols/SPX/">S&P 500</a></nav>
  <table><thead><tr><th>Symbol</th><th>Change %</th></tr></thead><tbody>${rows.join('')}</tbody></table></body></html>`

export const symbolPage = ({ symbol, name, sector, website, description }: Mover) =>
  `<!doctype html><html><head><meta charset="utf-8">
  <meta property="og:description" content="View live ${escaped(name)} chart.">
  <script type="application/prs.init-data+json">${JSON.stringify({
    x1y2: { data: { symbol: { short_name: symbol, sector, business_description: description } } },
  }).replaceAll('<', '\\u003c')}</script></head><body><h1>${escaped(name)}</h1>
  <div class="block"><div class="wrap"><div class="label">Website</div></div>
  <a class="value" href="${website}" rel="nofollow">site</a></div></body></html>`

/** The site's usual pages by path. */
export const usualPages = (movers = MOVERS): Record<string, Page> => ({
  [MOVERS_PATH]: moversPage(movers.map((mover) => row(mover))),
  ...Object.fromEntries(movers.map((mover) => [symbolPath(mover), symbolPage(mover)])),
})

type Page = string | Buffer | RequestListener

/** Answers 404 if there's no page. `pages` may change while it runs. Close it afterwards. */
export async function openMoversSite(pages = usualPages()) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const page = pages[request.url ?? '']
    if (typeof page === 'function') return page(request, response)
    if (page === undefined) return response.writeHead(404).end('Not here')
    if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/html')
    response.end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    port: String(port),
    url: origin + MOVERS_PATH,
    pages,
    asked,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

// The reference for cached pages: node:http and nothing else, sending the bytes of one file.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const body = readFileSync(process.env.BODY_FILE)
const headers = JSON.parse(process.env.HEADERS)

const server = createServer((_, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () =>
  console.log(`Bare server is ready at http://127.0.0.1:${server.address().port}`),
)
process.on('SIGTERM', () => process.exit(0))

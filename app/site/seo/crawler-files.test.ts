import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { registerSecurityFile } from './crawler-files.server.ts'

const fileOf = async (SECURITY_CONTACT?: string) => {
  const app = Fastify()
  const now = () => new Date('2026-03-14T09:00:00Z')
  registerSecurityFile(app as never, {
    contact: readConfig({ SECURITY_CONTACT }).securityContact,
    siteUrl: () => 'https://kettle.example',
    now,
  })
  return app.inject('/.well-known/security.txt')
}

test('security.txt says where to report a vulnerability', async () => {
  const { statusCode, headers, body } = await fileOf('mailto:security@kettle.example')
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(body.split('\n')).toEqual([
    'Contact: mailto:security@kettle.example',
    'Expires: 2026-09-10T00:00:00.000Z',
    'Canonical: https://kettle.example/.well-known/security.txt',
    'Preferred-Languages: en',
    '',
  ])
})

test('security.txt doesn’t exist without an address', async () => {
  expect((await fileOf()).statusCode).toBe(404)
})

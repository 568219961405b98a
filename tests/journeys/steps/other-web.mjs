/** Preloaded by a journey's site: what it asks of http://feeds.example goes to the journey's own server. */
import net from 'node:net'

const connect = net.connect
net.connect = (options, ...more) =>
  options.host === 'feeds.example'
    ? connect({ host: '127.0.0.1', port: Number(process.env.FEEDS_PORT) }, ...more)
    : connect(options, ...more)

#!/usr/bin/python3
"""A small web service."""
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ADDRESS = '127.0.0.1'
PORT = 8000

# Path: type and text of the answer.
PAGES = {
    '/': ('text/plain', '<h1>Shop</h1><p>Tea: 2.50 €</p>'),
}
UNKNOWN = (200, 'text/plain', 'There is no such page.')


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        page = PAGES.get(self.path)
        status, kind, text = (200, *page) if page else UNKNOWN
        body = text.encode()
        self.send_response(status)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)


ThreadingHTTPServer((ADDRESS, PORT), Shop).serve_forever()

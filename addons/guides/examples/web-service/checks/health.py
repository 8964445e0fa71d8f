#!/usr/bin/python3
import json
import sys
import urllib.request

try:
    with urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=3) as answer:
        text = answer.read(1000).decode()
except OSError as error:
    print(f'/health cannot be read: {error}')
    sys.exit(1)
try:
    value = json.loads(text)
except ValueError:
    print(f'/health is not JSON: {text[:60]}')
    sys.exit(1)
if value != {'status': 'ok'}:
    print(f'/health answers {text[:60]}')
    sys.exit(1)

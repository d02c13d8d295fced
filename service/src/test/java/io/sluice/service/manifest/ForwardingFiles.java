package io.sluice.service.manifest;

import java.io.IOException;
import java.util.List;

/** Passes everything on, so that a test says only what is different. */
class ForwardingFiles implements ManifestFiles {
    private final ManifestFiles to;

    ForwardingFiles(ManifestFiles to) {
        this.to = to;
    }

    @Override
    public List<Listed> list() throws IOException {
        return to.list();
    }

    @Override
    public byte[] read(String name) throws IOException {
        return to.read(name);
    }

    @Override
    public void create(String name, byte[] content) throws IOException {
        to.create(name, content);
    }

    @Override
    public void replace(String name, byte[] content) throws IOException {
        to.replace(name, content);
    }

    @Override
    public void deleteAll(List<String> names) throws IOException {
        to.deleteAll(names);
    }

    @Override
    public void delete(String name) throws IOException {
        to.delete(name);
    }

    @Override
    public void sync() throws IOException {
        to.sync();
    }

    @Override
    public void prepare() throws IOException {
        to.prepare();
    }

    @Override
    public boolean isDropping() throws IOException {
        return to.isDropping();
    }

    @Override
    public void markDropping() throws IOException {
        to.markDropping();
    }

    @Override
    public void unmarkDropping() throws IOException {
        to.unmarkDropping();
    }

    @Override
    public void removeRegion() throws IOException {
        to.removeRegion();
    }

    @Override
    public boolean hasStaging() throws IOException {
        return to.hasStaging();
    }

    @Override
    public String path(String name) {
        return to.path(name);
    }

    @Override
    public String path() {
        return to.path();
    }
}

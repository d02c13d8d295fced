package io.sluice.service.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ErrorHandler;

/**
 * Makes what the HTTP server refuses by itself, before a request reaches the door, a problem like any other. Stateless.
 */
final class JettyErrors extends ErrorHandler {
    @Override
    public boolean errorPageForMethod(String method) {
        return true;
    }

    @Override
    protected void generateAcceptableResponse(
            Request baseRequest, HttpServletRequest request, HttpServletResponse response, int code, String message)
            throws IOException {
        baseRequest.setHandled(true);
        Reply reply = Reply.httpProblem(code, detail(code, message));
        response.setContentType(reply.contentType());
        reply.writtenHeaders().forEach(response::setHeader);
        response.getOutputStream().write(reply.body());
        baseRequest.getResponse().closeOutput();
    }

    @Override
    public ByteBuffer badMessageError(int status, String reason, HttpFields.Mutable fields) {
        Reply reply = Reply.httpProblem(status, detail(status, reason));
        fields.put(HttpHeader.CONTENT_TYPE, reply.contentType());
        reply.writtenHeaders().forEach(fields::put);
        return ByteBuffer.wrap(reply.body());
    }

    private static String detail(int status, String message) {
        return message == null || message.isBlank() ? HttpStatus.getMessage(status) : message;
    }
}
